import type { SplitName } from "../../../contract/index.ts";
import type { Selection } from "../../candidate/candidate-record.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { ScorePairs } from "../strategy/strategy.ts";

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

/** The same for rollouts of the child, in their order. */
export function rolloutPairs(parent: Scores, rollouts: readonly Rollout[]): ScorePairs {
  const before: number[] = [];
  const after: number[] = [];
  for (const { exampleId, score } of rollouts) {
    const parentScore = parent[exampleId] ?? null;
    if (parentScore === null || score.kind !== "scored") continue;
    before.push(parentScore);
    after.push(score.value);
  }
  return { parent: before, child: after };
}

/** The same, with the objective's values if it is not a mean of scores. */
export function valuedPairs(
  run: OptimizerRun,
  {
    split,
    parent: { scores, objectiveScores },
    child,
  }: {
    readonly split: SplitName;
    readonly parent: Pick<Selection, "scores" | "objectiveScores">;
    readonly child: StepEvaluation;
  },
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
    run.summarize(split, rollouts).value ?? 0;
  return { ...pairs, values: { parent: valueOf(before), child: valueOf(after) } };
}
