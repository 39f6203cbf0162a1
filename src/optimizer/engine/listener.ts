import { failureOf } from "../../errors/index.ts";
import type { Forecast } from "../../evaluate/files.ts";
import { forecast } from "../../evaluate/files.ts";
import type { Clock } from "../../internal/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "../contract/optimizer-event.ts";

/** Errors of a listener; they do not end the run. */
export interface ListenerFailures {
  readonly count: number;
  /** Message of the first error. */
  readonly first: string;
}

interface GuardedListener<TEvent> {
  readonly notify: (event: TEvent) => void;
  /** `null` when there were none. */
  failures(): ListenerFailures | null;
}

/** Forwards events to a listener and counts its throws and rejections. */
export function guardedListener<TEvent>(
  listener: (event: TEvent) => unknown,
): GuardedListener<TEvent> {
  let count = 0;
  let first = "";
  const note = (error: unknown): void => {
    if (count++ === 0) first = failureOf(error).message;
  };
  return {
    notify: (event) => {
      try {
        const answer = listener(event);
        if (answer instanceof Promise) answer.catch(note);
      } catch (error) {
        note(error);
      }
    },
    failures: () => (count === 0 ? null : { count, first }),
  };
}

/** Tells a listener what a run decides and how far it is. */
export interface ProgressReport {
  /** Metric calls begin that take time, after so many. */
  begin(metricCalls: number): void;
  /** So many metric calls are done. */
  tell(metricCalls: number): void;
  /** Hands the event on, and learns the best value from it. */
  heard(event: OptimizerEvent): void;
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
  readonly onEvent: ((event: OptimizerEvent | OptimizerProgress) => void) | undefined;
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
    heard: (event) => {
      if (event.kind === "candidate-accepted") {
        values[event.candidate] = event.value;
        best = Math.max(best ?? event.value, event.value);
      }
      if (event.kind === "candidate-confirmed") {
        values[event.candidate] = event.selection.value;
        best = Math.max(...values);
      }
      onEvent?.(event);
    },
  };
}

/** Estimates when a run reaches its cap on metric calls. */
interface CallForecast {
  /** Called before metric calls that are not replayed; all but the first time it does nothing. */
  begin(metricCalls: number): void;
  /** `null` without a cap, or before the first call. */
  etaMs(metricCalls: number): number | null;
}

/** Measures the calls of this process alone: a resumed run repeats the recorded ones at once. */
function callForecast(cap: number | null, clock: Clock): CallForecast {
  let begun: { readonly calls: number; readonly estimate: Forecast } | undefined;
  return {
    begin: (calls) => {
      if (cap !== null) begun ??= { calls, estimate: forecast(cap - calls, clock) };
    },
    etaMs: (calls) => begun?.estimate.etaMs(calls - begun.calls) ?? null,
  };
}
