import { setTimeout as delay } from "node:timers/promises";

/** Time as a dependency, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never decreases. */
  now(): number;
  /**
   * At most 2^31 - 1 ms, about 24.8 days. Rejects with the signal's reason if the signal fires
   * first.
   */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers treat a longer delay as 1 ms. */
const longestDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  // Not `performance`, which a process loads with its first use.
  now: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  sleep: async (durationMs, signal) => {
    try {
      const boundedMs = Math.min(durationMs, longestDelayMs);
      await delay(boundedMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Milliseconds since 1970-01-01 UTC; may go back when the machine's time is set. */
export function epochMs(): number {
  return Date.now();
}
