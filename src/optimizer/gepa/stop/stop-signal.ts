import type { Stopper } from "../strategy/strategy.ts";

/**
 * Ends the run after the iteration in which the signal is aborted, with a result. The option
 * `signal` of `optimize()` differs: it ends the run at once, without a result, to be resumed.
 */
export function stopSignal(signal: AbortSignal): Stopper {
  return {
    name: "signal",
    looksOutside: true,
    stop: () => (signal.aborted ? "the signal was aborted" : null),
  };
}
