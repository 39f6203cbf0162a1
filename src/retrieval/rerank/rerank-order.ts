import type { Passage, RankedPassage } from "../../contract/index.ts";

/** The passages without repeated ids; the first of each counts. */
export function distinctPassages(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** The `k` best by `scores`, which has one entry per passage; ties keep the given order. */
export function bestPassages(
  passages: readonly Passage[],
  scores: readonly number[],
  k: number,
): readonly RankedPassage[] {
  return passages
    .map((passage, index) => ({ ...passage, score: scores[index] ?? 0 }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, k);
}
