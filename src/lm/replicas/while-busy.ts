import type { Clock } from "../../internal/index.ts";

/** Knows how many calls there are. */
export interface WhileBusy {
  enter(): void;
  leave(): void;
}

/**
 * Repeats work while there are calls, and only then: an idle connection keeps no timer, and so no
 * process alive. Work must not reject; its signal fires with the end of the last call.
 */
export function whileBusy(
  work: (signal: AbortSignal) => Promise<void>,
  { everyMs, clock }: { readonly everyMs: number; readonly clock: Clock },
): WhileBusy {
  let calls = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let busy = new AbortController();

  const repeat = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const dueMs = lastMs + everyMs - clock.now();
      if (dueMs > 0) await clock.sleep(dueMs, signal).catch(() => {});
      if (signal.aborted) return;
      lastMs = clock.now();
      await work(signal);
    }
  };
  return {
    enter: () => {
      if (calls++ > 0) return;
      busy = new AbortController();
      void repeat(busy.signal);
    },
    leave: () => {
      if (--calls === 0) busy.abort();
    },
  };
}
