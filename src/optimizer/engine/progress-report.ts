import type { Clock } from "../../internal/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "../contract/optimizer-event.ts";
import { callForecast } from "./call-forecast.ts";

/** Tells a listener how far a run is. */
export interface ProgressReport {
  /** Metric calls begin that take time, after so many. */
  begin(metricCalls: number): void;
  /** So many metric calls are done. */
  tell(metricCalls: number): void;
  /** Learns the best value from the journal's events. */
  take(event: OptimizerEvent): void;
}

export function progressReport({
  cap,
  clock,
  costs,
  onEvent,
}: {
  readonly cap: number | null;
  readonly clock: Clock;
  readonly costs: () => Pick<OptimizerProgress, "tokens" | "costUsd">;
  /** Absent when there is no listener. */
  readonly onEvent: ((event: OptimizerProgress) => void) | undefined;
}): ProgressReport {
  const estimate = callForecast(cap, clock);
  /** Values of all candidates, by id. */
  const values: number[] = [];
  let best: number | null = null;
  return {
    begin: (metricCalls) => estimate.begin(metricCalls),
    tell: (metricCalls) => {
      if (onEvent === undefined) return;
      const etaMs = estimate.etaMs(metricCalls);
      onEvent(Object.freeze({ kind: "progress", metricCalls, cap, etaMs, best, ...costs() }));
    },
    take: (event) => {
      if (event.kind === "candidate-accepted") {
        values[event.candidate] = event.value;
        best = Math.max(best ?? event.value, event.value);
      }
      if (event.kind === "candidate-confirmed") {
        values[event.candidate] = event.selection.value;
        best = Math.max(...values);
      }
    },
  };
}
