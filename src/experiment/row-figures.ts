import type { Evaluation, Interval } from "../evaluate/index.ts";
import { byObjective } from "../evaluate/index.ts";
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

/** A figure, and the evaluation whose value it is. */
export interface EvaluatedFigure extends Figure {
  readonly evaluation: Evaluation;
}

/** The objective and the further objectives of a row; none if the row did not run. */
export function rowFigures(
  { result }: Pick<RowOutcome, "result">,
  options: { readonly resamples: number },
): readonly EvaluatedFigure[] {
  return "notRun" in result ? [] : figuresOf(result, options);
}

/** The objective of an evaluation, then its further objectives. */
export function figuresOf(
  evaluation: Evaluation,
  { resamples }: { readonly resamples: number },
): readonly EvaluatedFigure[] {
  const further = Object.keys(evaluation.objectives).filter(
    (name) => name !== evaluation.metric.name,
  );
  return [evaluation, ...further.map((name) => byObjective(evaluation, name, { resamples }))].map(
    (each) => ({
      metric: each.metric.name,
      value: each.value,
      interval: each.interval,
      scored: each.counts.scored,
      clusters: scoredClusters(each),
      evaluation: each,
    }),
  );
}

function scoredClusters({ rows }: Evaluation): number {
  return new Set(rows.flatMap(({ score, cluster }) => (score.kind === "scored" ? [cluster] : [])))
    .size;
}
