import type { Clock } from "../../internal/index.ts";
import { linkedAbort } from "../../internal/index.ts";

/** The cap on wall time, across all processes of a run. */
export interface Deadline {
  spentMs(): number;
  leftMs(): number;
  /**
   * Returns the signal for one step: the caller's signal combined with the deadline, or the
   * caller's alone if the step only replays recorded work. Dispose it when the step has ended.
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
  const neverAborted = new AbortController().signal;
  const unbound = (signal: AbortSignal): ReturnType<Deadline["bound"]> => ({
    signal,
    isOver: () => false,
    [Symbol.dispose]: () => {},
  });
  let last = unbound(neverAborted);
  return {
    spentMs,
    leftMs,
    bound: (caller = neverAborted, isRepeated) => {
      if (capMs === undefined || isRepeated) {
        if (last.signal !== caller) last = unbound(caller);
        return last;
      }
      const over = new AbortController();
      const either = linkedAbort([caller, over.signal]);
      const stopped = new AbortController();
      // The longest delay a timer supports; a longer cap is checked again before the next step.
      const waitMs = Math.min(Math.max(0, leftMs()), 2 ** 31 - 1);
      clock.sleep(waitMs, stopped.signal).then(
        () => over.abort(),
        () => {},
      );
      return {
        signal: either.signal,
        isOver: () => over.signal.aborted,
        [Symbol.dispose]: () => {
          stopped.abort();
          either.release();
        },
      };
    },
  };
}
