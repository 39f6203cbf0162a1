import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RunState } from "../../../../../src/report-page/index.ts";
import { dollars, duration, wholeNumber } from "../data/figure.ts";
import { stopRun } from "./asked.ts";

/** How far a running search is. */
export interface Pace {
  readonly metricCalls: number;
  /** `null` without a cap on them. */
  readonly cap: number | null;
  /** What its files knew last: the pace is taken from these together. */
  readonly known: {
    readonly metricCalls: number;
    readonly elapsedMs: number | null;
    readonly costUsd: number | null;
  };
}

/** Metric calls of the cap as a bar, and what the rest will take at this pace. */
export function ProgressBar({
  name,
  pace,
}: {
  readonly name: string;
  readonly pace: Pace;
}): JSX.Element {
  const { metricCalls, cap } = pace;
  const done = `${wholeNumber(metricCalls)}${cap === null ? "" : ` of ${wholeNumber(cap)}`} metric calls`;
  return (
    <span class="progress">
      {cap !== null && (
        <progress max={cap} value={Math.min(cap, metricCalls)} aria-label={`Progress of ${name}`} />
      )}
      <span class="under">
        {[done, forecastText(pace)].filter((part) => part !== "").join("; ")}
      </span>
    </span>
  );
}

/** `about 4.2 min and $0.31 more`, if all goes on as before; empty where that is unknown. */
function forecastText({ metricCalls, cap, known }: Pace): string {
  if (cap === null || known.metricCalls === 0 || metricCalls >= cap) return "";
  const left = (cap - metricCalls) / known.metricCalls;
  const { elapsedMs, costUsd } = known;
  const more = [
    ...(elapsedMs === null || elapsedMs === 0 ? [] : [duration(elapsedMs * left)]),
    ...(costUsd === null ? [] : [dollars(costUsd * left)]),
  ];
  return more.length === 0 ? "" : `about ${more.join(" and ")} more`;
}

const texts: Readonly<Record<RunState, string>> = {
  running: "running",
  stopping: "stopping: it ends after this step",
  ended: "ended",
  stopped: "stopped; it can be resumed",
  interrupted: "not finished; no process is working on it",
};

/** The state of a run, and while it goes on a button that ends it. */
export function RunStateCell({
  id,
  state,
  onStopped,
}: {
  readonly id: string;
  readonly state: RunState;
  readonly onStopped: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const stop = (): void => {
    stopRun(id).then(onStopped, (error: unknown) => setProblem(String(error)));
  };
  return (
    <>
      <span class={`state ${state}`}>{texts[state]}</span>
      {state === "running" && (
        <button type="button" aria-label={`Stop ${id}`} onClick={stop}>
          Stop
        </button>
      )}
      {problem !== undefined && (
        <span class="warning" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
