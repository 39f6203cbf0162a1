import type { RankedPassage } from "espalier";

/** The passages with scores that fall in their order, since metrics rank by scores. */
export function scoredByPlace(passages: readonly RankedPassage[]): readonly RankedPassage[] {
  return passages.map((passage, place) => ({ ...passage, score: 1 / (place + 1) }));
}
