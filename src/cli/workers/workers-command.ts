import type { AnyCommand } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { requiredRedis, redisAddress } from "../arguments/shared-arguments.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { Presences, RunPresence, WorkerPresence } from "../packages/workers-package.ts";
import { workersPackage } from "../packages/workers-package.ts";
import { columns, joinLines, print } from "../terminal/terminal.ts";
import { counterBy, gaugeBy } from "../../internal/index.ts";

/** `espalier workers`: which workers there are, and what they do. */
export const workersSubcommand: AnyCommand = command({
  args: {
    redis: requiredRedis,
    format: {
      type: "enum",
      description: "A table, JSON, or the Prometheus text format",
      options: ["table", "json", "metrics"] as ("table" | "json" | "metrics")[],
      default: "table" as const,
    },
    follow: {
      type: "boolean",
      description: "Print again every second, until it is interrupted",
      default: false,
    },
  },
  run: printWorkers,
});

/** Prints the workers and runs of a Redis once, or every second until it is interrupted. */
async function printWorkers({
  redis,
  format,
  follow,
}: {
  readonly redis: string;
  readonly format: "table" | "json" | "metrics";
  readonly follow: boolean;
}): Promise<void> {
  const { workersAt } = await workersPackage();
  using at = await workersAt(redisAddress(redis));
  do {
    const present = await at.now();
    if (format === "json") print(JSON.stringify(present));
    else print(format === "metrics" ? workersMetrics(present) : workersText(present));
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
  if (workers.length === 0) return ["No worker is there."];
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

/** The same as Prometheus reads it. */
function workersMetrics({ workers, runs }: Presences): string {
  return [
    ...families("worker", workers, ({ id, study }) => ({ worker: id, study }), workerFigures),
    ...families("run", runs, ({ run, study }) => ({ run, study }), runFigures),
  ].join("\n");
}

type Figure<TPresence> = readonly [name: string, help: string, of: (of: TPresence) => number];

const workerFigures: readonly Figure<WorkerPresence>[] = [
  ["running", "Examples that run now.", ({ running }) => running],
  ["slots", "Examples at once, at most, for each run.", ({ slots }) => slots],
  ["runs", "Runs that it serves.", ({ runs }) => runs.length],
  ["refused_runs", "Runs of other checkouts.", ({ refusals }) => refusals.length],
  ["done_total", "Examples that ended.", ({ counts }) => counts.done],
  ["faulted_total", "Those that a fault ended.", ({ counts }) => counts.faulted],
  ["cancelled_total", "Examples that were cancelled.", ({ counts }) => counts.cancelled],
  ["lost_total", "Examples that went to another.", ({ counts }) => counts.lost],
  ["calls_total", "Calls of LMs and tools.", ({ counts }) => counts.calls],
];

const runFigures: readonly Figure<RunPresence>[] = [
  ["in_flight", "Examples whose results it waits for.", ({ inFlight }) => inFlight],
  ["queued_total", "Examples that were queued.", ({ counts }) => counts.jobs],
  ["cancelled_total", "Examples that no run waited for.", ({ counts }) => counts.cancelled],
  ["lost_total", "Examples that Redis lost.", ({ counts }) => counts.lost],
  ["dropped_total", "Late or doubled results.", ({ counts }) => counts.dropped],
];

function families<TPresence>(
  kind: string,
  all: readonly TPresence[],
  labels: (of: TPresence) => Readonly<Record<string, string>>,
  figures: readonly Figure<TPresence>[],
): readonly string[] {
  return figures.flatMap(([name, help, of]) => {
    const write = name.endsWith("_total") ? counterBy : gaugeBy;
    const values = all.map((each) => ({ labels: labels(each), value: of(each) }));
    return write({ name: `espalier_${kind}_${name}`, help }, values);
  });
}
