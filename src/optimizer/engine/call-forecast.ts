import type { Forecast } from "../../evaluate/files.ts";
import { forecast } from "../../evaluate/files.ts";
import type { Clock } from "../../internal/index.ts";

/** Estimates when a run reaches its cap on metric calls. */
export interface CallForecast {
  /** Called before metric calls that are not replayed; all but the first time it does nothing. */
  begin(metricCalls: number): void;
  /** `null` without a cap, or before the first call. */
  etaMs(metricCalls: number): number | null;
}

/** Measures the calls of this process alone: a resumed run repeats the recorded ones at once. */
export function callForecast(cap: number | null, clock: Clock): CallForecast {
  let begun: { readonly calls: number; readonly estimate: Forecast } | undefined;
  return {
    begin: (calls) => {
      if (cap !== null) begun ??= { calls, estimate: forecast(cap - calls, clock) };
    },
    etaMs: (calls) => begun?.estimate.etaMs(calls - begun.calls) ?? null,
  };
}
