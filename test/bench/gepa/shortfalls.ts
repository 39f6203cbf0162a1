import type { VariantRow } from "./on-variants.ts";
import type { CellRow } from "./on-yardstick.ts";
import type { OverheadBySize } from "./overhead.ts";
import type { WallClock } from "./wall-clock.ts";

/** Limits that the project sets itself and a bench did not keep, a sentence each. */
export function shortfalls({
  rows,
  variantRows,
  overhead,
  wall,
}: {
  readonly rows: readonly CellRow[];
  readonly variantRows: readonly VariantRow[];
  readonly overhead: OverheadBySize | null;
  readonly wall: { readonly espalier: WallClock; readonly ax: WallClock } | null;
}): readonly string[] {
  return [
    ...rows.flatMap(({ cell, espalier, gain, gepa, espalierFewTexts }) => [
      ...(espalier.val < cell.bar
        ? [`${cell.name}: val ${espalier.val.toFixed(4)}, at least ${cell.bar} is due.`]
        : []),
      ...(gain !== undefined && (gain.interval?.low ?? 0) <= 0
        ? [`${cell.name}: the interval of the gain over gepa on test is not above zero.`]
        : []),
      ...(gepa !== undefined && espalierFewTexts.val < gepa.val
        ? [`${cell.name}: with gepa's number of texts, below gepa on val.`]
        : []),
    ]),
    ...variantRows
      .filter(({ espalier, plain }) => espalier.val < plain.val)
      .map(({ variant, metricCalls }) => `${variant} at ${metricCalls}: below plain GEPA.`),
    ...Object.entries(overhead ?? {})
      .filter(([, { wallMicros }]) => wallMicros > 20)
      .map(([size, { wallMicros }]) => `${wallMicros.toFixed(1)} us per call at ${size} calls.`),
    ...(wall !== null && wall.espalier.wallMs > 2_000
      ? [`${wall.espalier.wallMs.toFixed(0)} ms of wall clock.`]
      : []),
    ...(wall !== null && wall.espalier.val < wall.ax.val
      ? ["The quick search scores less than ax's."]
      : []),
  ];
}
