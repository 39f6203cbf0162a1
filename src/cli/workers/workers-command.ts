import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { requiredRedis, redisAddress } from "../arguments/shared-arguments.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { Presences, RunPresence, WorkerPresence } from "../packages/workers-package.ts";
import { workersPackage } from "../packages/workers-package.ts";
import { columns, joinLines, print } from "../terminal/terminal.ts";

/** `espalier workers`: which workers there are, and what they do. */
export const workersSubcommand: AnyCommand = command({
  args: {
    redis: requiredRedis,
    follow: {
      type: "boolean",
      description: "Print again every second until interrupted",
      default: false,
    },
    ...jsonArgument,
  },
  run: printWorkers,
});

/** Prints the workers and runs of a Redis once, or every second until it is interrupted. */
async function printWorkers({
  redis,
  follow,
  json,
}: {
  readonly redis: string;
  readonly follow: boolean;
  readonly json: boolean;
}): Promise<void> {
  const { workersAt } = await workersPackage();
  using at = await workersAt(redisAddress(redis));
  do {
    const present = await at.now();
    print(json ? JSON.stringify(present) : workersText(present));
    if (follow) await delay(1_000);
  } while (follow);
}

/** A table of workers, one of runs, and what is refused. */
function workersText({ workers, runs }: Presences): string {
  return joinLines([
    ...workerLines(workers),
    ...(runs.length === 0 ? [] : ["", ...columns([runHead, ...runs.map(runRow)])]),
  ]);
}

function workerLines(workers: readonly WorkerPresence[]): readonly string[] {
  if (workers.length === 0) return ["There are no workers."];
  const head = ["worker", "study", "runs", "busy", "jobs/s", "done", "faulted", "lost", "calls"];
  const rows = workers.map(({ id, study, runs, running, slots, isDraining, ...worker }) => {
    const { done, faulted, lost, calls } = worker.counts;
    return [
      id,
      isDraining ? `${study} (ending)` : study,
      String(runs.length),
      `${running}/${slots}`,
      worker.jobsPerSecond.toFixed(1),
      String(done),
      String(faulted),
      String(lost),
      String(calls),
    ];
  });
  const refusals = workers.flatMap(({ id, refusals: why }) =>
    why.map((each) => `${id} refuses a run: ${each}`),
  );
  return [...columns([head, ...rows]), ...refusals];
}

const runHead = ["run", "study", "in flight", "queued", "cancelled", "lost", "dropped"];

function runRow({ run, study, inFlight, counts }: RunPresence): readonly string[] {
  const { jobs, cancelled, lost, dropped } = counts;
  return [run, study, ...[inFlight, jobs, cancelled, lost, dropped].map(String)];
}
