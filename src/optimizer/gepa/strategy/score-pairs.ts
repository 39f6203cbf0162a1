import type { Selection } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { ScorePairs } from "./strategy.ts";

type Scores = Readonly<Record<string, number | null>>;

/**
 * Scores of the examples on which both have one: where a fault cost one its score, the other's says
 * nothing.
 */
export function scorePairs(parent: Scores, child: Scores): ScorePairs {
  const before: number[] = [];
  const after: number[] = [];
  for (const exampleId of Object.keys(child)) {
    const parentScore = parent[exampleId] ?? null;
    const score = child[exampleId] ?? null;
    if (parentScore === null || score === null) continue;
    before.push(parentScore);
    after.push(score);
  }
  return { parent: before, child: after };
}

/** The same on val, with the objective's values if it is not a mean of scores. */
export function valuedPairs(
  run: OptimizerRun,
  { scores, objectiveScores }: Pick<Selection, "scores" | "objectiveScores">,
  child: StepEvaluation,
): ScorePairs {
  const pairs = scorePairs(scores, child.scores);
  if (child.isMean || pairs.child.length === 0) return pairs;
  const after = child.rollouts.filter(({ exampleId, score }) => {
    return score.kind === "scored" && (scores[exampleId] ?? null) !== null;
  });
  // The aggregate may read each objective of an example instead of its score.
  const before = after.map((rollout): Rollout => {
    const { exampleId } = rollout;
    const objectives = objectiveScores?.[exampleId];
    const value = scores[exampleId] ?? 0;
    return { ...rollout, score: { kind: "scored", value, ...(objectives && { objectives }) } };
  });
  const valueOf = (rollouts: readonly Rollout[]): number =>
    run.summarize("val", rollouts).value ?? 0;
  return { ...pairs, values: { parent: valueOf(before), child: valueOf(after) } };
}
