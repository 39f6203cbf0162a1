import type { ScorePairs } from "./strategy/strategy.ts";

type Scores = Readonly<Record<string, number | null>>;

/** Scores of the examples on which both have one: what faults took of one says nothing of the other. */
export function scorePairs(parent: Scores, child: Scores): ScorePairs {
  const [before, after]: number[][] = [[], []];
  for (const [exampleId, score] of Object.entries(child)) {
    const parentScore = parent[exampleId] ?? null;
    if (parentScore === null || score === null) continue;
    before?.push(parentScore);
    after?.push(score);
  }
  return { parent: before ?? [], child: after ?? [] };
}
