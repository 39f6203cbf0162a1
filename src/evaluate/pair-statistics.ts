import type { Example, Metric } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { ClusterStatistic, SignFlipStatistic } from "../statistics/index.ts";
import type { Measures, ScoredExample } from "./objective.ts";
import { aggregateOf, meanOfClusters } from "./objective.ts";
import type { Pair } from "./pair-rows.ts";

/**
 * The difference of two systems, other minus baseline: observed, resampled, and with pairs
 * exchanged.
 */
export interface PairStatistics {
  readonly difference: number;
  readonly resampled: ClusterStatistic;
  readonly swapped: SignFlipStatistic;
}

/** Difference of means, from one sum per cluster. */
export function meanDifference(clusters: readonly (readonly Pair[])[]): PairStatistics {
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
export function aggregateDifference<TInput, TOutput, TLabels>(
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
