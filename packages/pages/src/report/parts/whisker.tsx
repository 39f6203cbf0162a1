import type { JSX } from "preact";
import type { Interval } from "../../../../../src/statistics/index.ts";
import { intervalText, signed } from "../data/figure.ts";

/** A difference with its 95 % interval against zero; the same scale for all of one list. */
export function Whisker({
  difference,
  interval,
  reach,
}: {
  readonly difference: number;
  readonly interval: Interval | null;
  /** The greatest absolute value of the scale. */
  readonly reach: number;
}): JSX.Element {
  const at = (value: number): number =>
    60 + (56 * Math.max(-reach, Math.min(reach, value))) / reach;
  return (
    <svg
      class="whisker"
      viewBox="0 0 120 16"
      role="img"
      aria-label={`${signed(difference)}, ${intervalText(interval)}`}
    >
      <line class="zero" x1={60} x2={60} y1={0} y2={16} />
      {interval !== null && (
        <line class="range" x1={at(interval.low)} x2={at(interval.high)} y1={8} y2={8} />
      )}
      <circle cx={at(difference)} cy={8} r={3.5} />
    </svg>
  );
}

/** The scale on which all of these fit. */
export function reachOf(
  shown: readonly { readonly difference: number; readonly interval: Interval | null }[],
): number {
  const ends = shown.flatMap(({ difference, interval }) => [
    Math.abs(difference),
    Math.abs(interval?.low ?? 0),
    Math.abs(interval?.high ?? 0),
  ]);
  return ends.reduce((most, end) => Math.max(most, end), 0) || 1;
}
