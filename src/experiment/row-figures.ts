import type { Metric } from "../contract/index.ts";
import type { Evaluation, Interval } from "../evaluate/index.ts";
import { byObjective } from "../evaluate/index.ts";
import type { ExperimentFigure } from "./experiment.ts";
import type { RowOutcome } from "./row-outcome.ts";

/** A figure over scored examples. */
export interface Figure {
  readonly metric: string;
  /** `null` if nothing was scored. */
  readonly value: number | null;
  /** 95 %; `null` with fewer than two clusters. */
  readonly interval: Interval | null;
  /** Examples that count in it. */
  readonly scored: number;
  /** Clusters that these form, which the interval resamples. */
  readonly clusters: number;
}

/** A figure, the evaluation whose value it is, and how that combines its rows. */
export interface EvaluatedFigure extends Figure {
  readonly evaluation: Evaluation;
  readonly aggregate: Metric["aggregate"];
}

interface FigureOptions {
  readonly resamples: number;
  /** The experiment's own figures, which are among the objectives. */
  readonly own: readonly ExperimentFigure[];
}

/** The objective and the further objectives of a row; none if the row did not run. */
export function rowFigures(
  { result, study: { objective } }: Pick<RowOutcome, "result" | "study">,
  options: FigureOptions,
): readonly EvaluatedFigure[] {
  return "notRun" in result ? [] : figuresOf(result, objective, options);
}

/** The objective of an evaluation, then its further objectives. */
export function figuresOf(
  evaluation: Evaluation,
  objective: Metric,
  { resamples, own }: FigureOptions,
): readonly EvaluatedFigure[] {
  const further = Object.keys(evaluation.objectives).filter(
    (name) => name !== evaluation.metric.name,
  );
  const evaluated = [
    { each: evaluation, aggregate: objective.aggregate?.bind(objective) },
    ...further.map((name) => {
      const combine = own.find((figure) => figure.name === name)?.aggregate;
      const aggregate: Metric["aggregate"] =
        combine && ((rows) => combine(rows.map(({ value }) => value)));
      return { each: byObjective(evaluation, name, { resamples, aggregate }), aggregate };
    }),
  ];
  return evaluated.map(({ each, aggregate }) => ({
    metric: each.metric.name,
    value: each.value,
    interval: each.interval,
    scored: each.counts.scored,
    clusters: scoredClusters(each),
    evaluation: each,
    aggregate,
  }));
}

function scoredClusters({ rows }: Evaluation): number {
  return new Set(rows.flatMap(({ score, cluster }) => (score.kind === "scored" ? [cluster] : [])))
    .size;
}
