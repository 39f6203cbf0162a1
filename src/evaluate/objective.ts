import type { Metric, MetricRow, Scored } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { ClusterStatistic } from "../statistics/index.ts";

/** A scored example with its cluster, as input to aggregates. */
export interface ScoredExample<TInput = unknown, TLabels = unknown> extends MetricRow<
  TInput,
  TLabels
> {
  readonly cluster: string;
}

/** The part of a score that an aggregate may read. */
export type Measures = Pick<MetricRow, "value" | "objectives">;

export function measuresOf({ value, objectives }: Scored): Measures {
  return objectives === undefined ? { value } : { value, objectives };
}

/** Rows that share a cluster, clusters in order of first appearance. */
export function byCluster<TRow extends { readonly cluster: string }>(
  rows: readonly TRow[],
): readonly (readonly TRow[])[] {
  return [...Map.groupBy(rows, ({ cluster }) => cluster).values()];
}

/**
 * Mean over the rows of the drawn clusters, from sums per cluster: a resample costs one addition
 * per cluster. Clusters may differ in size, so this is a ratio of sums, not a mean of means.
 */
export function meanOfClusters(
  clusters: readonly (readonly { readonly value: number }[])[],
): ClusterStatistic {
  const sums = Float64Array.from(clusters, (rows) => sumOf(rows));
  const counts = Float64Array.from(clusters, (rows) => rows.length);
  return (drawn) => {
    let sum = 0;
    let count = 0;
    for (const index of drawn) {
      sum += sums[index] ?? 0;
      count += counts[index] ?? 0;
    }
    return sum / count;
  };
}

/** The metric's own aggregate; throws `metric-failed` if it is not a finite number. */
export function aggregateOf<TInput, TOutput, TLabels>(
  metric: Metric<TInput, TOutput, TLabels>,
  rows: readonly ScoredExample<TInput, TLabels>[],
): number {
  const value = metric.aggregate?.(rows) ?? sumOf(rows) / rows.length;
  if (Number.isFinite(value)) return value;
  throw new EspalierError({
    code: "metric-failed",
    problem: `The aggregate of metric \`${metric.name}\` is not a finite number`,
    expected: "a finite number for any non-empty selection of rows, including repeats",
    got: `${value} for ${rows.length} rows`,
    fix: "Guard against division by zero: a resample may lack a whole group.",
  });
}

function sumOf(rows: readonly { readonly value: number }[]): number {
  return rows.reduce((sum, { value }) => sum + value, 0);
}
