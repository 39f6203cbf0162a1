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

/** Forwards events to a listener and counts its throws and rejections. */
export function guardedListener<TEvent>(listener: (event: TEvent) => unknown) {
  let count = 0;
  let first = "";
  const note = (error: unknown): void => {
    if (count++ === 0) first = failureOf(error).message;
  };
  return {
    notify: (event: TEvent): void => {
      try {
        const answer = listener(event);
        if (answer instanceof Promise) answer.catch(note);
      } catch (error) {
        note(error);
      }
    },
    /** `null` when there were none. */
    failures: (): ListenerFailures | null => (count === 0 ? null : { count, first }),
  };
}

export type ProgressReport = ReturnType<typeof progressReport>;

/** Tells a listener what a run decides and how far it is. */
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
}) {
  /** Of the calls of this process alone: a resumed run repeats the recorded ones at once. */
  let begun: { readonly calls: number; readonly estimate: Forecast } | undefined;
  /** Values of all candidates, by id. */
  const values: number[] = [];
  let best: number | null = null;
  return {
    /** Metric calls begin that take time, after so many; only the first time counts. */
    begin: (calls: number): void => {
      if (cap !== null) begun ??= { calls, estimate: forecast(cap - calls, clock) };
    },
    /** So many metric calls are done. */
    tell: (metricCalls: number): void => {
      if (onEvent === undefined) return;
      const etaMs = begun?.estimate.etaMs(metricCalls - begun.calls) ?? null;
      onEvent(Object.freeze({ kind: "progress", metricCalls, cap, etaMs, best, ...costs() }));
    },
    /** Hands the event on, and learns the best value from it. */
    heard: (event: OptimizerEvent): void => {
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
