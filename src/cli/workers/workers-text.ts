import type { WorkerPresence } from "../../queue/index.ts";
import { columns } from "../terminal/columns.ts";
import { joinLines } from "../terminal/join-lines.ts";

/** A table of workers, and what they refuse. */
export function workersText(workers: readonly WorkerPresence[]): string {
  if (workers.length === 0) return "No worker is there.";
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
  return joinLines([...columns([head, ...rows]), ...refusals]);
}

/** The same as Prometheus reads it. */
export function workersMetrics(workers: readonly WorkerPresence[]): string {
  const metrics: readonly (readonly [
    name: string,
    type: "counter" | "gauge",
    help: string,
    of: (worker: WorkerPresence) => number,
  ])[] = [
    ["running", "gauge", "Examples that run now.", ({ running }) => running],
    ["slots", "gauge", "Examples at once, at most, for each run.", ({ slots }) => slots],
    ["runs", "gauge", "Runs that it serves.", ({ runs }) => runs.length],
    ["refused_runs", "gauge", "Runs of other checkouts.", ({ refusals }) => refusals.length],
    ["done_total", "counter", "Examples that ended.", ({ counts }) => counts.done],
    ["faulted_total", "counter", "Those that a fault ended.", ({ counts }) => counts.faulted],
    [
      "cancelled_total",
      "counter",
      "Examples that were cancelled.",
      ({ counts }) => counts.cancelled,
    ],
    ["lost_total", "counter", "Examples that went to another.", ({ counts }) => counts.lost],
    ["calls_total", "counter", "Calls of LMs and tools.", ({ counts }) => counts.calls],
  ];
  return metrics
    .flatMap(([name, type, help, of]) => [
      `# HELP espalier_worker_${name} ${help}`,
      `# TYPE espalier_worker_${name} ${type}`,
      ...workers.map((worker) => {
        const labels = `worker=${JSON.stringify(worker.id)},study=${JSON.stringify(worker.study)}`;
        return `espalier_worker_${name}{${labels}} ${of(worker)}`;
      }),
    ])
    .join("\n");
}
