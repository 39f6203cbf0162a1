import { setTimeout as delay } from "node:timers/promises";

/** Time as a dependency, so that tests need not wait. */
export interface Clock {
  /** Milliseconds from an arbitrary start, never going back. */
  now(): number;
  /** Rejects with the signal's reason when it fires first. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: async (durationMs, signal) => {
    try {
      await delay(durationMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
