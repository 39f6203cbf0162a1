import type { Clock } from "../internal/index.ts";
import { systemClock } from "../internal/index.ts";

/** Estimates the time left for a number of similar steps. */
export interface Forecast {
  /**
   * Records the number of completed steps; returns the estimate in milliseconds, `null` before the
   * first.
   */
  etaMs(done: number): number | null;
}

/**
 * Recent completions are more informative: a warm cache or a slower server shows within this many.
 */
const window = 50;

/**
 * Estimates the time left from the rate of the last 50 completions, or of all since the start
 * while there are fewer.
 */
export function forecast(total: number, clock: Clock = systemClock): Forecast {
  const marks = [{ done: 0, atMs: clock.now() }];
  return {
    etaMs(done) {
      const now = { done, atMs: clock.now() };
      if (done > 0) marks.push(now);
      if (marks.length > window + 1) marks.shift();
      const [oldest = now] = marks;
      const steps = done - oldest.done;
      if (steps <= 0) return null;
      return ((now.atMs - oldest.atMs) / steps) * Math.max(0, total - done);
    },
  };
}
