import type { Passage } from "espalier";

/** Each passage once, by id, the first of several. */
export function distinctPassages<TPassage extends Passage>(
  passages: readonly TPassage[],
): readonly TPassage[] {
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}
