import type { RankedPassage } from "espalier";

/** The passages with scores that fall in their order, since metrics rank by scores. */
export function scoredByPlace(passages: readonly RankedPassage[]): readonly RankedPassage[] {
  return passages.map((passage, index) => ({ ...passage, score: 1 / (index + 1) }));
}
