import { randomSource } from "../../internal/index.ts";
import type { Interval } from "../../statistics/index.ts";
import { mean, sampleVariance, studentInterval } from "../../statistics/index.ts";

/** What one row of the sample scored in each of its runs; 1 is right. */
export interface HeadroomRow {
  readonly cluster: string;
  readonly declared: number;
  /** By candidate. */
  readonly candidates: readonly number[];
  /** Of the declared program's second run; absent: it ran once. */
  readonly again?: number;
  /** Code of the failure that left the declared program without outputs. */
  readonly failure?: string;
}

/** Mean difference from the declared program on the same rows, in the metric's units. */
interface Gain {
  readonly gain: number;
  /** Over clusters; `null`, as the interval, with fewer than two. */
  readonly standardError: number | null;
  /** 95 %, by Student's t. */
  readonly interval: Interval | null;
}

/** What the rows say: scores in the metric's units, shares of rows in [0, 1]. */
export interface HeadroomFigures {
  readonly rows: number;
  readonly declared: number;
  readonly candidates: readonly (Gain & { readonly name: string; readonly mean: number })[];
  /** The candidate with the highest mean; its gain flatters it, since these rows chose it. */
  readonly best: string | null;
  /** What the best one gains on rows that did not choose it; `null` without candidates. */
  readonly crossFitted: Gain | null;
  /** Second run of the declared program minus the first; `null` if no row ran twice. */
  readonly noise: {
    readonly rows: number;
    readonly difference: number;
    /** Share of these rows. */
    readonly changed: number;
  } | null;
  /** What test can show: 95 %, two-sided, power .8; `null` if no score varied. */
  readonly smallestGain: number | null;
  /** The first three add up to 1. */
  readonly shares: {
    readonly right: number;
    /** Below 1, but right with some candidate; with none. */
    readonly rightWithSome: number;
    readonly rightWithNone: number;
    /** Without outputs, by failure code. */
    readonly withoutOutputs: Readonly<Record<string, number>>;
  };
  readonly verdict: HeadroomVerdict;
}

export type HeadroomVerdict =
  | "worth it with demonstrations alone"
  | "perhaps worth it"
  | "not worth it"
  | "cannot tell from demonstrations"
  | "cannot tell from so few rows";

/**
 * Whether a search is worth it, by the first rule that holds. Gains are made for scores in [0, 1].
 *
 * 1. Cannot tell: there are no candidates, or fewer than 10 clusters of rows.
 * 2. With demonstrations alone: the cross-fitted gain less 1 standard error reaches .05, though
 *    chance drew the labels.
 * 3. Perhaps: that gain plus 1 standard error reaches .05.
 * 4. Not worth it.
 */
export function headroomVerdict({
  clusters,
  crossFitted,
}: {
  readonly clusters: number;
  readonly crossFitted: Pick<Gain, "gain" | "standardError"> | null;
}): HeadroomVerdict {
  if (crossFitted === null) return "cannot tell from demonstrations";
  const { gain, standardError } = crossFitted;
  if (clusters < 10 || standardError === null) return "cannot tell from so few rows";
  if (gain - standardError >= 0.05) return "worth it with demonstrations alone";
  return gain + standardError >= 0.05 ? "perhaps worth it" : "not worth it";
}

/**
 * The figures of at least one row.
 *
 * @param options.testRows number of rows that a search would report on
 * @param options.seed draws the halves of cross-fitting
 */
export function headroomFigures(
  rows: readonly HeadroomRow[],
  {
    names,
    testRows,
    seed,
  }: { readonly names: readonly string[]; readonly testRows: number; readonly seed: number },
): HeadroomFigures {
  const declared = mean(rows.map((row) => row.declared));
  const gains = names.map((_, one) => rows.map((row) => (row.candidates[one] ?? 0) - row.declared));
  const candidates = names.map((name, one) => {
    const gain = gainOf(gains[one] ?? [], rows);
    return { name, mean: declared + gain.gain, ...gain };
  });
  const repeats = rows.flatMap((row) =>
    row.again === undefined ? [] : [row.again - row.declared],
  );
  const noise =
    repeats.length === 0
      ? null
      : {
          rows: repeats.length,
          difference: mean(repeats),
          changed: shareOf(repeats, (change) => change !== 0),
        };
  const clusters = [...new Set(rows.map(({ cluster }) => cluster))];
  const isAny = names.length > 0;
  const crossFitted = isAny
    ? gainOf(crossFittedGains(gains, rows, { clusters, seed }), rows)
    : null;
  const isBelow = (row: HeadroomRow): boolean => row.declared < 1;
  const isSolved = (row: HeadroomRow): boolean => row.candidates.some((score) => score >= 1);
  const codes = new Set(rows.flatMap(({ failure }) => failure ?? []));
  return {
    rows: rows.length,
    crossFitted,
    declared,
    candidates,
    best: names[highest(candidates.map(({ gain }) => gain))] ?? null,
    noise,
    smallestGain: smallestGain(candidates, { declared, rows: rows.length, testRows }),
    shares: {
      right: shareOf(rows, (row) => !isBelow(row)),
      rightWithSome: shareOf(rows, (row) => isBelow(row) && isSolved(row)),
      rightWithNone: shareOf(rows, (row) => isBelow(row) && !isSolved(row)),
      withoutOutputs: Object.fromEntries(
        [...codes].map((code) => [code, shareOf(rows, ({ failure }) => failure === code)]),
      ),
    },
    verdict: headroomVerdict({ clusters: clusters.length, crossFitted }),
  };
}

function shareOf<TItem>(all: readonly TItem[], isOne: (item: TItem) => boolean): number {
  return all.filter(isOne).length / all.length;
}

/** The place of the highest value, the first of equal ones. */
function highest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

/**
 * From one value for each cluster, whose mean is that of the rows and whose spread is that of the
 * clusters (the linearized ratio): with one row in each, the row's own.
 */
function gainOf(values: readonly number[], rows: readonly HeadroomRow[]): Gain {
  const gain = mean(values);
  const places = Map.groupBy(rows.keys(), (row) => rows[row]?.cluster);
  const byCluster = [...places.values()].map((held) => {
    const sum = held.reduce((total, row) => total + (values[row] ?? 0) - gain, 0);
    return gain + (sum * places.size) / rows.length;
  });
  const { length } = byCluster;
  const standardError = length < 2 ? null : Math.sqrt(sampleVariance(byCluster) / length);
  return { gain, standardError, interval: studentInterval(byCluster) };
}

/** Random halvings, so that the luck of one decides nothing. */
const halvings = 100;

/**
 * For each row, the mean gain of the candidate that is best on the half of the clusters without it.
 */
function crossFittedGains(
  gains: readonly (readonly number[])[],
  rows: readonly HeadroomRow[],
  { clusters, seed }: { readonly clusters: readonly string[]; readonly seed: number },
): readonly number[] {
  const perHalving = Array.from({ length: halvings }, (_, halving) => {
    const shuffled = randomSource(seed, "headroom/halves", halving).shuffle(clusters);
    const half = new Set(shuffled.slice(0, clusters.length / 2));
    const isIn = rows.map(({ cluster }) => half.has(cluster));
    const bestOn = (side: boolean): number =>
      highest(gains.map((each) => mean(each.filter((_, row) => isIn[row] === side))));
    const [inside, outside] = [bestOn(true), bestOn(false)];
    return rows.map((_, row) => gains[isIn[row] ? outside : inside]?.[row] ?? 0);
  });
  return rows.map((_, row) => mean(perHalving.map((each) => each[row] ?? 0)));
}

/**
 * (1.96 + .84) times the deviation of a row's difference, over the root of the number of test rows.
 * Its variance is the candidates' mean one, clusters included; where none differs, that of a score
 * of 0 or 1 with the declared mean.
 */
function smallestGain(
  candidates: readonly Gain[],
  { declared, rows, testRows }: Readonly<Record<"declared" | "rows" | "testRows", number>>,
): number | null {
  const seen = mean(candidates.map(({ standardError }) => rows * (standardError ?? 0) ** 2));
  const variance = seen > 0 ? seen : declared * (1 - declared);
  return variance > 0 && testRows > 0 ? (1.96 + 0.84) * Math.sqrt(variance / testRows) : null;
}
