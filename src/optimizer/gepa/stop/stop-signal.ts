import type { Stopper } from "../strategy/strategy.ts";

/**
 * Ends the run, with a result, after the iteration in which the signal is aborted. The `signal`
 * option of `optimize()` instead ends the run at once, without a result, to be resumed.
 */
export function stopSignal(signal: AbortSignal): Stopper {
  return {
    name: "signal",
    looksOutside: true,
    stop: () => (signal.aborted ? "the signal was aborted" : null),
  };
}
