import type { SplitName } from "../../contract/index.ts";
import { noUsage } from "../budget/index.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import type { OptimizerRun } from "../optimizer.ts";
import type { ScorePairs } from "./strategy/strategy.ts";

type Scores = Readonly<Record<string, number | null>>;

/** Scores of the examples on which both have one: what faults took of one says nothing of the other. */
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

/** The same of rollouts of the child, in their order. */
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

/** The same, with the objective's values where it is no mean of scores. */
export function valuedPairs(
  run: OptimizerRun,
  { split, parent, child }: { split: SplitName; parent: Scores; child: StepEvaluation },
): ScorePairs {
  const pairs = scorePairs(parent, child.scores);
  if (child.isMean || pairs.child.length === 0) return pairs;
  const valueOf = (scores: Scores): number => {
    const rollouts = Object.keys(child.scores).flatMap((exampleId): Rollout[] => {
      const [value, isPaired] = [scores[exampleId] ?? null, (parent[exampleId] ?? null) !== null];
      if (value === null || !isPaired || child.scores[exampleId] === null) return [];
      const score = { kind: "scored" as const, value };
      return [{ exampleId, score, ran: [], usage: noUsage, worst: 0 }];
    });
    return run.summarize(split, rollouts).value ?? 0;
  };
  return { ...pairs, values: { parent: valueOf(parent), child: valueOf(child.scores) } };
}
