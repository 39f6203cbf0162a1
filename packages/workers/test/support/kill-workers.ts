import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { randomSource } from "../../../../src/index.ts";
import { serveRehearsal } from "@espalier/rehearsal";
import { redisServer } from "../../../../test/support/redis-server.ts";
import type { CliResult, RunningCli } from "../../../../test/support/run-cli.ts";
import { runCli, startCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { compiledIn } from "./compiled-in.ts";

const endpoint = "POST /v1/chat/completions";
const slots = 4;

type Harm = "worker" | "coordinator" | "redis" | "redis without its data";

export interface KillsGiven {
  readonly study: string;
  /** In metric calls. */
  readonly budget: number;
  readonly workers: number;
  readonly runs: number;
  /** How often each happens in each run. */
  readonly harms: Readonly<Record<Harm, number>>;
  readonly seed: number;
  readonly onNote?: (sentence: string) => void;
}

/** What happened in all runs together. */
export interface KillsReport {
  readonly harms: Readonly<Record<Harm, number>>;
  /** Requests that a server answered more than once. */
  readonly repeated: number;
  /** The most that could have been in flight at the kills. */
  readonly inFlight: number;
}

/**
 * Optimizes with workers while workers, the coordinator and Redis are killed at random moments.
 * What is compiled must be the same as in one process, nothing may be paid for twice beyond what
 * was in flight, and no key may be left.
 */
export async function expectKillsOnRedisToChangeNothing({
  study,
  budget,
  workers,
  runs,
  harms,
  seed,
  onNote = () => {},
}: KillsGiven): Promise<KillsReport> {
  await using server = await serveRehearsal({ latencyMs: 4 });
  await using folder = await temporaryFolder();
  await using redis = await redisServer();
  // Of studies with other parts, mocks play these in each process.
  const lm = ["--rehearsal", "--lm", `${server.url}/v1`, "--cache", "none"];
  const calls = (): number => server.calls().byEndpoint[endpoint]?.received ?? 0;
  const repeated = (): number => server.calls().byEndpoint[endpoint]?.repeated ?? 0;
  const optimize = ["optimize", study, ...lm, "--budget", String(budget), "--run"];

  const undisturbed = join(folder.path, "undisturbed");
  const whole = await runCli([...optimize, undisturbed]);
  if (whole.code !== 0) throw new Error(whole.stderr);
  const expected = await compiledIn(undisturbed);
  const [perRun, repeatedAlone] = [calls(), repeated()];

  const fleet = Array.from({ length: workers }, () =>
    keptWorker([study, ...lm, "--redis", redis.url]),
  );
  await using _fleet = {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(fleet.map((each) => each.end()));
    },
  };
  const done: Record<Harm, number> = {
    worker: 0,
    coordinator: 0,
    redis: 0,
    "redis without its data": 0,
  };
  for (let run = 0; run < runs; run++) {
    const random = randomSource(seed, "harms", run);
    const runFolder = join(folder.path, `run-${run}`);
    const planned = random.shuffle(
      Object.entries(harms).flatMap(([harm, count]) => Array<Harm>(count).fill(harm as Harm)),
    );
    const begin = (how: "--run" | "--resume"): RunningCli =>
      startCli(
        how === "--run"
          ? [...optimize, runFolder, "--redis", redis.url, "--concurrency", String(slots * workers)]
          : ["optimize", study, "--resume", runFolder, "--redis", redis.url],
      );
    let coordinator = begin("--run");
    // Kills can hit one example three times by chance. The run then ends and says to resume it.
    const resumeIfBlamed = async (): Promise<void> => {
      const ended = await Promise.race([coordinator.ended, Promise.resolve(null)]);
      if (ended === null || !blamesExample(ended)) return;
      onNote("an example was blamed");
      coordinator = begin("--resume");
    };
    const before = calls();
    for (const [index, harm] of planned.entries()) {
      // By number of calls, so that they fall everywhere whatever the machine's speed.
      const share = (0.8 * perRun) / planned.length;
      const moment = before + Math.floor(share * (index + random.random()));
      await resumeIfBlamed();
      await reached(() => calls() >= moment, coordinator.ended);
      done[harm]++;
      onNote(`${harm} after ${calls() - before} calls of ${perRun}`);
      if (harm === "worker") await fleet[random.below(workers)]?.kill();
      else if (harm === "coordinator") {
        coordinator.interrupt("SIGKILL");
        await coordinator.ended;
        coordinator = begin("--resume");
      } else await redis.restart({ keepsData: harm === "redis" });
    }
    await coordinator.ended;
    await resumeIfBlamed();
    const last = await coordinator.ended;
    if (last.code !== 0) throw new Error(last.stderr);
    expect(await compiledIn(runFolder)).toEqual(expected);
    onNote(`run ${run}: ${JSON.stringify(done)}, repeated ${repeated()}`);
  }
  await Promise.all(fleet.map((each) => each.end()));
  expect(await redis.keys()).toEqual([]);
  // Every run asks once what the first one asked.
  const twice = repeated() - repeatedAlone - runs * perRun;
  const lost = done.redis + done["redis without its data"];
  const inFlight = slots * (done.worker + workers * (done.coordinator + lost));
  expect(twice).toBeLessThanOrEqual(inFlight);
  return { harms: done, repeated: Math.max(0, twice), inFlight };
}

function blamesExample({ code, stderr }: CliResult): boolean {
  return code !== 0 && stderr.includes("killed 3 workers") && stderr.includes("Resume the run");
}

/** A worker that is started again whenever it ends. */
function keptWorker(args: readonly string[]): { kill(): Promise<void>; end(): Promise<void> } {
  let isEnding = false;
  const begin = (): RunningCli =>
    startCli(["worker", ...args, "--concurrency", String(slots), "--lost-after", "2"]);
  let child = begin();
  return {
    kill: async () => {
      child.interrupt("SIGKILL");
      await child.ended;
      child = begin();
    },
    end: async () => {
      if (isEnding) return;
      isEnding = true;
      // One that has not begun yet is not listening for signals.
      await Promise.race([child.saw("is serving"), child.ended]);
      child.interrupt("SIGTERM");
      await child.ended;
    },
  };
}

async function reached(condition: () => boolean, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!condition() && !isOver) await delay(1);
}
