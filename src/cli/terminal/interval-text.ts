import type { Interval } from "../../evaluate/index.ts";

/** The bounds of an interval, or the reason why there is none. */
export function intervalText(interval: Interval | null): string {
  return interval === null
    ? "(no interval: fewer than two clusters)"
    : `[${interval.low.toFixed(4)}, ${interval.high.toFixed(4)}] 95 %`;
}
