import { checkAmount } from "../strategy/check-range.ts";
import type { Stopper } from "../strategy/strategy.ts";

/** Ends the run after this many milliseconds, across all its processes. */
export function wallTimePassed(ms: number): Stopper {
  checkAmount("ms", ms);
  return {
    name: "wall-time",
    settings: { ms },
    looksOutside: true,
    endsByItself: true,
    stop: ({ elapsedMs }) => (elapsedMs >= ms ? `${Math.round(elapsedMs)} of ${ms} ms` : null),
  };
}
