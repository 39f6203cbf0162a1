import type { Clock } from "../../internal/index.ts";

/** The cap on wall time, over all processes of a run. */
export interface Deadline {
  spentMs(): number;
  leftMs(): number;
  /**
   * A signal for one step: the caller's, and the deadline's unless the step only repeats what is
   * recorded. Dispose it when the step has ended.
   */
  bound(
    caller: AbortSignal | undefined,
    isRepeated: boolean,
  ): Disposable & { readonly signal: AbortSignal; isOver(): boolean };
}

export function deadline(capMs: number | undefined, startMs: number, clock: Clock): Deadline {
  const startedAt = clock.now();
  const spentMs = (): number => startMs + clock.now() - startedAt;
  const leftMs = (): number => (capMs ?? Infinity) - spentMs();
  const neverAborted = new AbortController();
  return {
    spentMs,
    leftMs,
    bound: (caller, isRepeated) => {
      if (capMs === undefined || isRepeated) {
        const signal = caller ?? neverAborted.signal;
        return { signal, isOver: () => false, [Symbol.dispose]: () => {} };
      }
      const over = new AbortController();
      const stopped = new AbortController();
      const signals = caller === undefined ? [over.signal] : [caller, over.signal];
      // The longest a timer can wait; a longer cap is looked at again before the next step.
      const waitMs = Math.min(Math.max(0, leftMs()), 2 ** 31 - 1);
      clock.sleep(waitMs, stopped.signal).then(
        () => over.abort(),
        () => {},
      );
      return {
        signal: AbortSignal.any(signals),
        isOver: () => over.signal.aborted,
        [Symbol.dispose]: () => stopped.abort(),
      };
    },
  };
}
