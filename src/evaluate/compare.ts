import type { Example, Metric } from "../contract/index.ts";
import { checkCount, randomSource } from "../internal/index.ts";
import type { Interval } from "../statistics/index.ts";
import { clusterBootstrap, signFlipTest } from "../statistics/index.ts";
import type { Evaluation } from "./evaluation.ts";
import { byCluster } from "./objective.ts";
import type { Dropped } from "./pair-rows.ts";
import { pairRows } from "./pair-rows.ts";
import type { PairStatistics } from "./pair-statistics.ts";
import { aggregateDifference, meanDifference } from "./pair-statistics.ts";

export type { Dropped } from "./pair-rows.ts";

export interface CompareOptions<TInput = unknown, TOutput = unknown, TLabels = unknown> {
  /** Of the bootstrap and of the permutation test. @default 10_000 */
  readonly resamples?: number;
  /** @default 0 */
  readonly seed?: number;
  /** Needed for a metric with an aggregate of its own, which looks at the examples. */
  readonly aggregate?: {
    readonly metric: Metric<TInput, TOutput, TLabels>;
    readonly examples: readonly Example<TInput, TLabels>[];
  };
}

export type Verdict = "better" | "worse" | "undecided";

/** How another system compares with a baseline on the examples both were scored on. Frozen. */
export interface Comparison {
  /** Other minus baseline. */
  readonly difference: number;
  /** 95 % interval of the difference; `null` with fewer than two clusters or 0 resamples. */
  readonly interval: Interval | null;
  /** Two-sided, from a paired permutation test over clusters. */
  readonly pValue: number;
  readonly verdict: Verdict;
  /** Number of examples compared, and of the clusters they form. */
  readonly examples: number;
  readonly clusters: number;
  /** Examples on which the other system scored higher, lower, or the same. */
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
  /** Examples that could not be compared, and why. */
  readonly dropped: readonly Dropped[];
}

/**
 * Compares two evaluations, paired by example id. The interval is the cluster bootstrap's, the
 * p-value the permutation test's. "better" or "worse" is claimed only if the interval lies wholly
 * on one side of zero and the p-value is at most 0.05; a bootstrap alone is too sure of itself
 * with few clusters, while no permutation test can reach 0.05 with fewer than six.
 *
 * Throws `comparison-invalid` when the metrics differ or no example was scored in both, and
 * `option-invalid` for `resamples` that is no whole number of at least 0.
 */
export function compare<TInput = unknown, TOutput = unknown, TLabels = unknown>(
  baseline: Evaluation,
  other: Evaluation,
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
    // A draw for each sign would take most of the time.
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

function verdictOf(interval: Interval | null, pValue: number): Verdict {
  if (interval === null || pValue > 0.05) return "undecided";
  if (interval.low > 0) return "better";
  return interval.high < 0 ? "worse" : "undecided";
}
