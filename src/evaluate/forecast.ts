import type { Clock } from "../internal/index.ts";
import { systemClock } from "../internal/index.ts";

/** How long a number of like steps will still take. */
export interface Forecast {
  /** Notes that so many steps are done; the estimate in milliseconds, `null` before the first. */
  etaMs(done: number): number | null;
}

/** The newest completions tell more: a warm cache or a slower server shows within so many. */
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
