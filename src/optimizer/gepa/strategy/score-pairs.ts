import type { Selection } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { Panel, ScorePairs } from "./strategy.ts";
import { sum } from "../../../statistics/index.ts";

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

/** The mean scores of both, as examples weigh, or the objective in their place. */
export function meansText({ values, weights, ...scores }: ScorePairs): string {
  const [child, parent] = (["child", "parent"] as const).map((side) => {
    const weighed = scores[side].map((score, at) => (weights?.[at] ?? 1) * score);
    return Number((values?.[side] ?? sum(weighed) / weighed.length).toFixed(2));
  });
  const count = scores.child.length;
  const examples = count === 1 ? "example" : `${count} examples`;
  return `${child} against ${parent} for the current text on the same ${examples}`;
}

/** The same for rollouts of the child on a panel, in their order. */
export function panelPairs(
  parent: ReadonlyMap<string, number | null>,
  rollouts: readonly Rollout[],
  panel: Panel,
  drawnFrom?: ReadonlyMap<string, number>,
): ScorePairs {
  const before: number[] = [];
  const after: number[] = [];
  const ids: string[] = [];
  for (const { exampleId, score } of rollouts) {
    const parentScore = parent.get(exampleId) ?? null;
    if (parentScore === null || score.kind !== "scored") continue;
    before.push(parentScore);
    after.push(score.value);
    ids.push(exampleId);
  }
  return {
    parent: before,
    child: after,
    ...weightsOf(ids, panel),
    ...(drawnFrom && { drawnFrom: ids.map((id) => drawnFrom.get(id) ?? 0) }),
  };
}

/** How much each example counts, 1 on average; nothing if they are drawn alike. */
function weightsOf(ids: readonly string[], { weights }: Panel): Pick<ScorePairs, "weights"> {
  if (weights === undefined || ids.length === 0) return {};
  const stands = ids.map((id) => weights.get(id) ?? 0);
  const mean = sum(stands) / stands.length;
  return { weights: stands.map((one) => one / mean) };
}

/** The same on val, with the objective's values if it is not a mean of scores. */
export function valuedPairs(
  run: OptimizerRun,
  {
    panel,
    parent: { scores, objectiveScores },
    child,
  }: {
    readonly panel: Panel;
    readonly parent: Pick<Selection, "scores" | "objectiveScores">;
    readonly child: StepEvaluation;
  },
): ScorePairs {
  const pairs = panelPairs(new Map(Object.entries(scores)), child.rollouts, panel);
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
