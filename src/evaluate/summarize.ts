import type { Example, Metric } from "../contract/index.ts";
import { randomSource } from "../internal/index.ts";
import type { Interval } from "../statistics/index.ts";
import { clusterBootstrap } from "../statistics/index.ts";
import { meanObjectives } from "./row-collector.ts";
import type { Evaluation, EvaluationCounts, EvaluationRow } from "./evaluation.ts";
import type { ScoredExample } from "./objective.ts";
import { aggregateOf, byCluster, meanOfClusters, measuresOf } from "./objective.ts";

/** The figures of an evaluation that follow from its rows. */
export type Summary = Pick<
  Evaluation,
  | "value"
  | "objective"
  | "interval"
  | "counts"
  | "coverage"
  | "coverageFloor"
  | "isAcceptable"
  | "objectives"
>;

export interface SummarizeOptions<TInput, TOutput, TLabels> {
  readonly rows: readonly EvaluationRow<TOutput>[];
  /** In the order of the rows. */
  readonly examples: readonly Example<TInput, TLabels>[];
  readonly metric: Metric<TInput, TOutput, TLabels>;
  readonly coverageFloor: number;
  readonly resamples: number;
  readonly seed: number;
}

export function summarize<TInput, TOutput, TLabels>({
  rows,
  examples,
  metric,
  coverageFloor,
  resamples,
  seed,
}: SummarizeOptions<TInput, TOutput, TLabels>): Summary {
  const scored = rows.flatMap(({ score, cluster }, index): ScoredExample<TInput, TLabels>[] => {
    const example = examples[index];
    return score.kind === "scored" && example !== undefined
      ? [{ ...measuresOf(score), cluster, example }]
      : [];
  });
  const counts = countRows(rows);
  const judged = counts.scored + counts.unscored;
  const coverage = judged === 0 ? 1 : counts.scored / judged;
  const value = scored.length === 0 ? null : aggregateOf(metric, scored);
  return {
    value,
    objective: metric.aggregate === undefined ? "mean" : "aggregate",
    interval: intervalOf(scored, metric, resamples, seed),
    counts,
    coverage,
    coverageFloor,
    isAcceptable: value !== null && coverage >= coverageFloor,
    objectives: meanObjectives(
      rows.flatMap(({ score }) => (score.kind === "scored" ? [score] : [])),
    ),
  };
}

function countRows(rows: readonly EvaluationRow[]): EvaluationCounts {
  const count = (kind: EvaluationRow["score"]["kind"]) =>
    rows.filter(({ score }) => score.kind === kind).length;
  // A failed run with an output failed in the metric, for example through a judge's unusable reply.
  const isFormatFailure = ({ runs, ...row }: EvaluationRow) =>
    (runs ?? [row]).some((run) => run.failure?.kind === "format" && !("output" in run));
  return Object.freeze({
    scored: count("scored"),
    notApplicable: count("not-applicable"),
    unscored: count("unscored"),
    formatFailures: rows.filter(isFormatFailure).length,
  });
}

function intervalOf<TInput, TOutput, TLabels>(
  scored: readonly ScoredExample<TInput, TLabels>[],
  metric: Metric<TInput, TOutput, TLabels>,
  resamples: number,
  seed: number,
): Interval | null {
  const clusters = byCluster(scored);
  const statistic =
    metric.aggregate === undefined
      ? meanOfClusters(clusters)
      : (drawn: Int32Array) =>
          aggregateOf(
            metric,
            Array.from(drawn).flatMap((index) => clusters[index] ?? []),
          );
  return clusterBootstrap({
    clusterCount: clusters.length,
    statistic,
    resamples,
    random: randomSource(seed, "evaluate/bootstrap"),
  });
}

/**
 * The score of each example, by id, in the order of the rows; `null` where the metric does not
 * apply or a fault remained.
 */
export function scoresByExample({
  rows,
}: Pick<Evaluation, "rows">): ReadonlyMap<string, number | null> {
  return new Map(
    rows.map(({ exampleId, score }) => [exampleId, score.kind === "scored" ? score.value : null]),
  );
}
