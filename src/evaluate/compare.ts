import type { Example, Metric } from "../contract/index.ts";
import { checkCount, randomSource } from "../internal/index.ts";
import type { Interval, Verdict } from "../statistics/index.ts";
import { clusterBootstrap, signFlipTest, verdictOf } from "../statistics/index.ts";
import { byCluster } from "./objective.ts";
import type { ComparableEvaluation, Dropped } from "./pair-rows.ts";
import { pairRows } from "./pair-rows.ts";
import type { PairStatistics } from "./pair-statistics.ts";
import { aggregateDifference, meanDifference } from "./pair-statistics.ts";

export type { Dropped } from "./pair-rows.ts";

export interface CompareOptions<TInput = unknown, TOutput = unknown, TLabels = unknown> {
  /** Number of resamples, for both the bootstrap and the permutation test. @default 10_000 */
  readonly resamples?: number;
  /** @default 0 */
  readonly seed?: number;
  /** Required for a metric with its own aggregate, which reads the examples. */
  readonly aggregate?: {
    readonly metric: Metric<TInput, TOutput, TLabels>;
    readonly examples: readonly Example<TInput, TLabels>[];
  };
}

/**
 * How another system compares with a baseline, on the examples that were scored for both. Frozen.
 */
export interface Comparison {
  /** Other minus baseline. */
  readonly difference: number;
  /** 95 % interval of the difference; `null` with fewer than two clusters or 0 resamples. */
  readonly interval: Interval | null;
  /** Two-sided, from a paired permutation test over clusters. */
  readonly pValue: number;
  readonly verdict: Verdict;
  /** Number of compared examples, and of their clusters. */
  readonly examples: number;
  readonly clusters: number;
  /** Number of examples on which the other system scored higher, lower or equal. */
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
  /** Examples that could not be compared, and why. */
  readonly dropped: readonly Dropped[];
}

/**
 * Compares two evaluations, paired by example id. The interval comes from a cluster bootstrap, the
 * p-value from a permutation test, the verdict from both by `verdictOf`.
 *
 * Throws `comparison-invalid` when the metrics differ or no example was scored in both, and
 * `option-invalid` unless `resamples` is a whole number of at least 0.
 */
export function compare<TInput = unknown, TOutput = unknown, TLabels = unknown>(
  baseline: ComparableEvaluation,
  other: ComparableEvaluation,
  { resamples = 10_000, seed = 0, aggregate }: CompareOptions<TInput, TOutput, TLabels> = {},
): Comparison {
  checkCount("resamples", resamples, 0);
  const { pairs, dropped } = pairRows(baseline, other, aggregate !== undefined);
  const clusters = byCluster(pairs);
  const clusterCount = clusters.length;
  const { difference, resampled, swapped }: PairStatistics =
    aggregate === undefined ? meanDifference(clusters) : aggregateDifference(clusters, aggregate);
  const interval = clusterBootstrap({
    clusterCount,
    statistic: resampled,
    resamples,
    random: randomSource(seed, "compare/bootstrap"),
  });
  const pValue = signFlipTest({
    count: clusterCount,
    statistic: swapped,
    alternative: "two-sided",
    resamples,
    random: () => randomSource(seed, "compare/permutation"),
    // One draw for each sign would dominate the run time.
    signsPerDraw: 30,
  });
  const count = (sign: number) =>
    pairs.filter((pair) => Math.sign(pair.other.value - pair.baseline.value) === sign).length;
  return Object.freeze({
    difference,
    interval,
    pValue,
    verdict: verdictOf(interval, pValue),
    examples: pairs.length,
    clusters: clusterCount,
    better: count(1),
    worse: count(-1),
    equal: count(0),
    dropped,
  });
}
