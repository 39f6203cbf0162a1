import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { randomSource } from "espalier";
import { serveRehearsal } from "@espalier/rehearsal";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { askedAgainIn } from "./asked-again-in.ts";

const repository = resolve(import.meta.dirname, "../../..");
const endpoint = "POST /v1/chat/completions";

/**
 * Kills the command line at random moments and resumes it. The artifact must be the same as without
 * kills, no recorded reply may be requested again, and only requests that were in flight may reach
 * the server twice.
 */
export async function expectKillsToChangeNothing({
  study = "test/cli/fixtures/places.ts",
  budget = 60,
  options = [],
  runs,
  killsPerRun,
  seed,
}: {
  readonly study?: string;
  /** In metric calls. */
  readonly budget?: number;
  /** Further command-line options. */
  readonly options?: readonly string[];
  /** Minimum number of runs; `runs` times `killsPerRun` kills are made in any case. */
  readonly runs: number;
  readonly killsPerRun: number;
  readonly seed: number;
}): Promise<void> {
  const optimizeIn = (runFolder: string, url: string, how: "--run" | "--resume"): Child =>
    startOptimize(
      [study, "--lm", `${url}/v1`, "--budget", String(budget)].concat(options, how, runFolder),
    );

  await using server = await serveRehearsal({ latencyMs: 4 });
  await using folder = await temporaryFolder();
  const undisturbed = join(folder.path, "undisturbed");
  const whole = await optimizeIn(undisturbed, server.url, "--run").ended;
  if (!existsSync(join(undisturbed, "artifact.json"))) throw new Error(whole.stderr);
  const expected = await compiledIn(undisturbed);
  const calls = (): number => server.calls().byEndpoint[endpoint]?.received ?? 0;
  const perRun = calls();

  // A process may end by itself before its kill; other runs make up for missed kills.
  let left = runs * killsPerRun;
  for (let run = 0; left > 0; run++) {
    expect(run, `${left} kills came too late`).toBeLessThanOrEqual(2 * runs);
    const random = randomSource(seed, "kills", run);
    const runFolder = join(folder.path, `run-${run}`);
    const [callsBefore, repeatedBefore] = [calls(), repeatedIn(server.calls())];
    let inFlight = 0;
    // By number of calls, not by time, so kills fall everywhere regardless of machine speed.
    const kills = Math.min(left, killsPerRun);
    const moments = Array.from({ length: kills }, () => 1 + random.below(perRun - 1));
    for (const [index, moment] of moments.toSorted((one, other) => one - other).entries()) {
      const child = optimizeIn(runFolder, server.url, index === 0 ? "--run" : "--resume");
      await reached(() => calls() - callsBefore >= moment, child.ended);
      child.kill();
      if ((await child.ended).signal === "SIGKILL") left--;
      inFlight = await unansweredIn(runFolder);
    }
    const last = await optimizeIn(runFolder, server.url, "--resume").ended;
    expect(last.stderr).not.toContain("espalier:");
    expect(await compiledIn(runFolder)).toEqual(expected);
    expect(await askedAgainIn(runFolder)).toEqual([]);
    const repeated = repeatedIn(server.calls()) - repeatedBefore;
    // The undisturbed run already sent every request of this run, so the first time is not a
    // repetition.
    expect(repeated - perRun).toBeLessThanOrEqual(inFlight);
  }
}

function repeatedIn(report: {
  readonly byEndpoint: Readonly<Record<string, { readonly repeated: number }>>;
}): number {
  return report.byEndpoint[endpoint]?.repeated ?? 0;
}

interface Child {
  readonly ended: Promise<{ readonly stderr: string; readonly signal: NodeJS.Signals | null }>;
  kill(): void;
}

function startOptimize(args: readonly string[]): Child {
  const child = spawn(
    process.execPath,
    [
      "--conditions=espalier:source",
      resolve(repository, "src/cli/bin.ts"),
      "optimize",
      ...args,
      "--cache",
      "none",
    ],
    { cwd: repository, stdio: ["ignore", "ignore", "pipe"] },
  );
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    ended: new Promise((done) => child.once("close", (_, signal) => done({ stderr, signal }))),
    kill: () => child.kill("SIGKILL"),
  };
}

async function reached(condition: () => boolean, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!condition() && !isOver) await new Promise((tick) => setTimeout(tick, 1));
}

async function compiledIn(runFolder: string): Promise<unknown> {
  const artifact = JSON.parse(await readFile(join(runFolder, "artifact.json"), "utf8")) as {
    readonly hash: string;
    readonly compiled: { readonly program: { readonly module?: string } };
  };
  // The module's path is relative to the artifact, and all run folders are siblings.
  return { hash: artifact.hash, compiled: artifact.compiled };
}

async function linesIn(runFolder: string): Promise<readonly { readonly kind: string }[]> {
  const files = await Promise.all(
    ["journal.jsonl", "report.jsonl"].map((name) =>
      readFile(join(runFolder, name), "utf8").catch(() => ""),
    ),
  );
  return files.flatMap((content) =>
    content
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { readonly kind: string }),
  );
}

/** Number of sent calls without an end in the files, across all processes so far. */
async function unansweredIn(runFolder: string): Promise<number> {
  const lines = await linesIn(runFolder);
  const count = (...kinds: readonly string[]): number =>
    lines.filter(({ kind }) => kinds.includes(kind)).length;
  return count("sent") - count("reply", "failed");
}
