import type { Example, Metric } from "../contract/index.ts";
import { checkCount, randomSource } from "../internal/index.ts";
import type {
  ClusterStatistic,
  Interval,
  SignFlipStatistic,
  Verdict,
} from "../statistics/index.ts";
import { clusterBootstrap, signFlipTest, verdictOf } from "../statistics/index.ts";
import type { Measures, ScoredExample } from "./objective.ts";
import { aggregateOf, byCluster, meanOfClusters, measuresOf } from "./objective.ts";
import { EspalierError } from "../errors/index.ts";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";

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

/**
 * The difference of two systems, other minus baseline: observed, resampled, and with pairs
 * exchanged.
 */
interface PairStatistics {
  readonly difference: number;
  readonly resampled: ClusterStatistic;
  readonly swapped: SignFlipStatistic;
}

/** Difference of means, from one sum per cluster. */
function meanDifference(clusters: readonly (readonly Pair[])[]): PairStatistics {
  const differences = clusters.map((pairs) =>
    pairs.map(({ baseline, other }) => ({ value: other.value - baseline.value })),
  );
  const sums = Float64Array.from(differences, (rows) =>
    rows.reduce((sum, { value }) => sum + value, 0),
  );
  const count = differences.reduce((total, rows) => total + rows.length, 0);
  return {
    difference: sums.reduce((total, sum) => total + sum, 0) / count,
    resampled: meanOfClusters(differences),
    swapped: (swapped) => {
      let total = 0;
      for (let cluster = 0; cluster < sums.length; cluster++) {
        const sum = sums[cluster] ?? 0;
        total += swapped[cluster] === 1 ? -sum : sum;
      }
      return total / count;
    },
  };
}

/** Difference of the metric's own aggregates. */
function aggregateDifference<TInput, TOutput, TLabels>(
  clusters: readonly (readonly Pair[])[],
  {
    metric,
    examples,
  }: {
    readonly metric: Metric<TInput, TOutput, TLabels>;
    readonly examples: readonly Example<TInput, TLabels>[];
  },
): PairStatistics {
  const byId = new Map(examples.map((example) => [example.id, example]));
  const sides = (["baseline", "other"] as const).map((side) =>
    clusters.map((pairs) => pairs.map((pair) => rowOf(pair, pair[side], byId))),
  );
  const [baseline = [], other = []] = sides;
  const difference = (left: Rows<TInput, TLabels>, right: Rows<TInput, TLabels>) =>
    aggregateOf(metric, right) - aggregateOf(metric, left);
  return {
    difference: difference(baseline.flat(), other.flat()),
    resampled: (drawn) => {
      const indices = Array.from(drawn);
      return difference(
        indices.flatMap((index) => baseline[index] ?? []),
        indices.flatMap((index) => other[index] ?? []),
      );
    },
    swapped: (swapped) => {
      const mixed = (unswapped: typeof baseline, exchanged: typeof baseline) =>
        unswapped.flatMap((rows, index) =>
          swapped[index] === 1 ? (exchanged[index] ?? []) : rows,
        );
      return difference(mixed(baseline, other), mixed(other, baseline));
    },
  };
}

type Rows<TInput, TLabels> = readonly ScoredExample<TInput, TLabels>[];

function rowOf<TInput, TLabels>(
  { exampleId, cluster }: Pair,
  measures: Measures,
  byId: ReadonlyMap<string, Example<TInput, TLabels>>,
): ScoredExample<TInput, TLabels> {
  const example = byId.get(exampleId);
  if (example !== undefined) return { ...measures, cluster, example };
  throw new EspalierError({
    code: "comparison-invalid",
    problem: `Example \`${exampleId}\` was evaluated but is not among the given examples`,
    expected: "the examples of both evaluations",
    fix: "Pass all of them in `aggregate.examples`.",
  });
}

/** The part of an evaluation that a comparison reads. */
interface ComparableEvaluation extends Pick<Evaluation, "metric" | "objective"> {
  readonly rows: readonly Pick<EvaluationRow, "exampleId" | "cluster" | "score">[];
}

/** An example scored in both evaluations. */
interface Pair {
  readonly exampleId: string;
  readonly cluster: string;
  readonly baseline: Measures;
  readonly other: Measures;
}

/** An example left out of a comparison: unscored, not applicable or absent in at least one. */
export interface Dropped {
  readonly exampleId: string;
  readonly because: "unscored" | "not-applicable" | "absent";
}

/**
 * Pairs the rows of two evaluations by example id, in the baseline's order. Examples to which the
 * metric applies in neither evaluation do not count as dropped.
 */
function pairRows(
  baseline: ComparableEvaluation,
  other: ComparableEvaluation,
  hasAggregate: boolean,
): { readonly pairs: readonly Pair[]; readonly dropped: readonly Dropped[] } {
  refuseDifferentMetrics(baseline, other, hasAggregate);
  const others = new Map(other.rows.map((row) => [row.exampleId, row]));
  const known = new Set(baseline.rows.map(({ exampleId }) => exampleId));
  const pairs: Pair[] = [];
  const dropped: Dropped[] = [];
  for (const row of baseline.rows) {
    const { exampleId, cluster, score } = row;
    const match = others.get(exampleId);
    if (score.kind === "scored" && match?.score.kind === "scored") {
      const [ours, theirs] = [measuresOf(score), measuresOf(match.score)];
      pairs.push({ exampleId, cluster, baseline: ours, other: theirs });
    } else if (match === undefined) {
      dropped.push({ exampleId, because: "absent" });
    } else if (score.kind !== "not-applicable" || match.score.kind !== "not-applicable") {
      dropped.push({
        exampleId,
        because: isUnscored(row) || isUnscored(match) ? "unscored" : "not-applicable",
      });
    }
  }
  for (const { exampleId } of other.rows) {
    if (!known.has(exampleId)) dropped.push({ exampleId, because: "absent" });
  }
  if (pairs.length === 0) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: "The two evaluations share no scored example",
      expected: "at least one example id that is scored in both",
      got: `${baseline.rows.length} and ${other.rows.length} rows, ${dropped.length} of them not comparable`,
      fix: "Evaluate both programs on the same split.",
    });
  }
  return { pairs, dropped: Object.freeze(dropped) };
}

function isUnscored({ score }: Pick<EvaluationRow, "score">): boolean {
  return score.kind === "unscored";
}

function refuseDifferentMetrics(
  baseline: ComparableEvaluation,
  other: ComparableEvaluation,
  hasAggregate: boolean,
): void {
  const [left, right] = [baseline, other].map(({ metric }) => `${metric.name} ${metric.version}`);
  if (left !== right) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: "The two evaluations were made with different metrics",
      expected: `metric ${left} in both`,
      got: `${right}`,
      fix: "Evaluate both programs with the same metric and version.",
    });
  }
  if (baseline.objective === "aggregate" && !hasAggregate) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: `Metric ${left} has its own aggregate, which cannot be computed from rows alone`,
      expected: "option `aggregate: { metric, examples }`",
      got: "none",
      fix: "Pass the metric and the examples of both evaluations.",
    });
  }
}
