import type { Example, Metric } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Rollout } from "./rollout.ts";
import type { StepEvaluation } from "./step-evaluation.ts";

/** Figures of a step's rollouts. Faults count against coverage and never as a score. */
export function summarizeRollouts<TInput, TOutput, TLabels>(
  rollouts: readonly Rollout[],
  {
    examples,
    metric,
    coverageFloor,
  }: {
    readonly examples: ReadonlyMap<string, Example<TInput, TLabels>>;
    readonly metric: Metric<TInput, TOutput, TLabels>;
    readonly coverageFloor: number;
  },
): StepEvaluation {
  const scored = rollouts.flatMap(({ exampleId, score }) => {
    const example = examples.get(exampleId);
    return score.kind === "scored" && example !== undefined
      ? [{ value: score.value, example }]
      : [];
  });
  const unscored = rollouts.filter(({ score }) => score.kind === "unscored").length;
  const judged = scored.length + unscored;
  const coverage = judged === 0 ? 1 : scored.length / judged;
  const value = scored.length === 0 ? null : objectiveOf(metric, scored);
  return Object.freeze({
    rollouts,
    value,
    scores: Object.freeze(
      Object.fromEntries(
        rollouts.map(({ exampleId, score }) => [
          exampleId,
          score.kind === "scored" ? score.value : null,
        ]),
      ),
    ),
    coverage,
    isAcceptable: value !== null && coverage >= coverageFloor,
  });
}

function objectiveOf<TInput, TOutput, TLabels>(
  metric: Metric<TInput, TOutput, TLabels>,
  scored: readonly { readonly value: number; readonly example: Example<TInput, TLabels> }[],
): number {
  if (metric.aggregate === undefined) {
    return scored.reduce((sum, { value }) => sum + value, 0) / scored.length;
  }
  const value = metric.aggregate(scored);
  if (Number.isFinite(value)) return value;
  throw new EspalierError({
    code: "metric-failed",
    problem: `The aggregate of metric \`${metric.name}\` returned no finite number`,
    got: String(value),
  });
}
