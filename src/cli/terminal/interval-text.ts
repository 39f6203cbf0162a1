import type { Interval } from "../../evaluate/index.ts";

/** The bounds of an interval, or the reason why there is none. */
export function intervalText(interval: Interval | null): string {
  return interval === null
    ? "(no interval: fewer than two clusters)"
    : `${boundsText(interval)} 95 %`;
}

export function boundsText({ low, high }: Interval): string {
  return `[${low.toFixed(4)}, ${high.toFixed(4)}]`;
}
