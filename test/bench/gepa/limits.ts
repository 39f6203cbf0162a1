import type { CellFigures } from "./figures.ts";
import type { VariantRow } from "./on-variants.ts";
import type { CellRow } from "./on-yardstick.ts";
import type { OverheadBySize } from "./overhead.ts";
import type { WallClock } from "./wall-clock.ts";

/** How a bench compares with the project's own limits, one sentence each. */
export interface Limits {
  readonly missed: readonly string[];
  /** Limits that nothing was measured for. */
  readonly unchecked: readonly string[];
}

/** The maximum engine time per metric call, in microseconds. */
const mostMicros = 20;
/** The maximum time of a call in a longer run, as a multiple of one in a shorter run. */
const mostGrowth = 1.5;
const mostWallMs = 2_000;

type Outcome = "kept" | "unchecked" | { readonly missed: string };

/** Compares figures with the limits; absent figures, or figures of no runs, count as unchecked. */
export function checkLimits({
  rows,
  variantRows,
  overhead,
  wall,
}: {
  readonly rows: readonly CellRow[];
  readonly variantRows: readonly VariantRow[];
  readonly overhead: OverheadBySize | null;
  readonly wall: { readonly espalier: WallClock; readonly ax: WallClock } | null;
}): Limits {
  const outcomes: readonly (readonly [limit: string, outcome: Outcome])[] = [
    ...rows.flatMap((row) => ofCell(row)),
    ...(variantRows.length === 0
      ? [["harder tasks: not below plain GEPA", "unchecked"] as const]
      : variantRows.map(ofVariant)),
    ...ofOverhead(overhead),
    [
      `the quick search: at most ${mostWallMs} ms of wall clock`,
      judged(wall?.espalier.wallMs, (wallMs) => wallMs <= mostWallMs),
    ],
    [
      "the quick search: not below ax on val",
      judged(wall?.espalier.val, (val) => val >= (wall?.ax.val ?? NaN)),
    ],
  ];
  return {
    missed: outcomes.flatMap(([limit, outcome]) =>
      typeof outcome === "object" ? [`${limit}; measured: ${outcome.missed}`] : [],
    ),
    unchecked: outcomes.flatMap(([limit, outcome]) => (outcome === "unchecked" ? [limit] : [])),
  };
}

function ofCell({
  cell: { name, bar },
  espalier,
  espalierFewTexts,
  gepa,
  gain,
}: CellRow): readonly (readonly [limit: string, outcome: Outcome])[] {
  return [
    [`${name}: val at least ${bar}`, judged(valOf(espalier), (val) => val >= bar)],
    [
      `${name}: the interval of the gain over gepa on test is above zero`,
      judged(gain?.interval?.low, (low) => low > 0),
    ],
    [
      `${name}: with gepa's number of texts, not below gepa on val`,
      judged(valOf(gepa) === undefined ? undefined : valOf(espalierFewTexts), (val) =>
        gepa === undefined ? false : val >= gepa.val,
      ),
    ],
  ];
}

function ofVariant({
  variant,
  metricCalls,
  espalier,
  plain,
}: VariantRow): readonly [limit: string, outcome: Outcome] {
  return [
    `${variant} at ${metricCalls}: val not below plain GEPA's`,
    judged(valOf(espalier), (val) => val >= plain.val),
  ];
}

function ofOverhead(
  overhead: OverheadBySize | null,
): readonly (readonly [limit: string, outcome: Outcome])[] {
  // Sizes are integer keys, so they iterate in ascending order.
  const micros = Object.entries(overhead ?? {}).map(
    ([size, { wallMicros }]) => [size, wallMicros] as const,
  );
  const growth = micros.flatMap(([, longer], place) =>
    micros.slice(0, place).map(([, shorter]) => longer / shorter),
  );
  return [
    ...(micros.length === 0
      ? [[`overhead: at most ${mostMicros} us per call`, "unchecked"] as const]
      : micros.map(
          ([size, wallMicros]) =>
            [
              `overhead: at most ${mostMicros} us per call at ${size} calls`,
              judged(wallMicros, (one) => one <= mostMicros),
            ] as const,
        )),
    [
      `overhead: flat, a call of a longer run at most ${mostGrowth} times one of a shorter`,
      judged(growth.length === 0 ? undefined : Math.max(...growth), (most) => most <= mostGrowth),
    ],
  ];
}

function valOf(figures: CellFigures | undefined): number | undefined {
  return figures === undefined || figures.runs === 0 ? undefined : figures.val;
}

function judged(measured: number | undefined, isKept: (measured: number) => boolean): Outcome {
  if (measured === undefined) return "unchecked";
  return isKept(measured) ? "kept" : { missed: measured.toFixed(4) };
}
