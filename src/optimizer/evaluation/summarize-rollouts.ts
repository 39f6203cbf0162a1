import type { SplitName } from "../../contract/index.ts";
import type { Evaluator, ScoredRollout } from "./evaluator.ts";
import type { Rollout } from "./rollout.ts";
import type { StepEvaluation } from "./step-evaluation.ts";

/** Figures of some rollouts. Faults count against coverage and never as a score. */
export function summarizeRollouts(
  rollouts: readonly Rollout[],
  split: SplitName,
  { aggregate = mean, coverageFloor }: Pick<Evaluator, "aggregate"> & { coverageFloor: number },
): StepEvaluation {
  const scored: ScoredRollout[] = [];
  const scores: Record<string, number | null> = {};
  let unscored = 0;
  for (const { exampleId, score } of rollouts) {
    scores[exampleId] = score.kind === "scored" ? score.value : null;
    if (score.kind === "scored") {
      const { value, objectives } = score;
      scored.push({ exampleId, value, ...(objectives && { objectives }) });
    }
    if (score.kind === "unscored") unscored++;
  }
  const judged = scored.length + unscored;
  const coverage = judged === 0 ? 1 : scored.length / judged;
  const value = scored.length === 0 ? null : aggregate(split, scored);
  return Object.freeze({
    rollouts,
    value,
    isMean: aggregate === mean,
    scores: Object.freeze(scores),
    coverage,
    isAcceptable: value !== null && coverage >= coverageFloor,
  });
}

function mean(_: SplitName, scored: readonly { readonly value: number }[]): number {
  return scored.reduce((sum, { value }) => sum + value, 0) / scored.length;
}
