import type { SplitName } from "../../contract/index.ts";
import type { Evaluator, ScoredRollout } from "./evaluator.ts";
import type { Rollout } from "./rollout.ts";
import type { StepEvaluation } from "./step-evaluation.ts";

/** Summarizes rollouts. Faults lower coverage and never count as a score. */
export function summarizeRollouts(
  rollouts: readonly Rollout[],
  split: SplitName,
  { aggregate, coverageFloor }: Pick<Evaluator, "aggregate"> & { readonly coverageFloor: number },
): StepEvaluation {
  const scores: Record<string, number | null> = {};
  let [sum, scored, unscored] = [0, 0, 0];
  for (const { exampleId, score } of rollouts) {
    if (score.kind === "scored") {
      scores[exampleId] = score.value;
      sum += score.value;
      scored++;
    } else {
      scores[exampleId] = null;
      if (score.kind === "unscored") unscored++;
    }
  }
  const judged = scored + unscored;
  const coverage = judged === 0 ? 1 : scored / judged;
  const isMean = aggregate === undefined;
  const value = scored === 0 ? null : isMean ? sum / scored : aggregate(split, scoredOf(rollouts));
  return Object.freeze({
    rollouts,
    value,
    isMean,
    scores: Object.freeze(scores),
    coverage,
    isAcceptable: value !== null && coverage >= coverageFloor,
  });
}

function scoredOf(rollouts: readonly Rollout[]): readonly ScoredRollout[] {
  return rollouts.flatMap(({ exampleId, score }) => {
    if (score.kind !== "scored") return [];
    const { value, objectives } = score;
    return [{ exampleId, value, ...(objectives && { objectives }) }];
  });
}
