import type { Clock } from "../../src/internal/index.ts";

export interface GateClock extends Clock {
  /** Lets go of what is held, and holds nothing from then on. */
  release(): void;
  /** Resolves with the first call that is not let through. */
  readonly holds: Promise<void>;
}

/**
 * The clock of a rehearsal server with a latency: as many calls as are let through are answered at
 * once, and those after them once `release()` is called. So a test can act while a run is under
 * way, however slow the machine is.
 */
export function gateClock(letThrough: number): GateClock {
  const released = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  let slept = 0;
  return {
    now: () => 0,
    sleep: () => {
      if (slept++ < letThrough) return Promise.resolve();
      holding.resolve();
      return released.promise;
    },
    release: () => released.resolve(),
    holds: holding.promise,
  };
}
