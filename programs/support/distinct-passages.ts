import type { Passage } from "espalier";

/** Removes duplicates by id, keeping the first. */
export function distinctPassages<TPassage extends Passage>(
  passages: readonly TPassage[],
): readonly TPassage[] {
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}
