/** One ranking of a fusion, best first. */
export interface WeightedRun<TItem> {
  readonly items: readonly TItem[];
  /** At least 0. */
  readonly weight: number;
}

/**
 * Weighted reciprocal rank fusion as the authors count it: an item scores the sum of `weight / (k0
 * + rank)` over the runs that hold it, ranks from 1, and ties stay in the order of first
 * appearance. Unlike `reciprocalRankFusion` of `espalier/retrieval`, which breaks ties by id, so
 * that the order of the runs does not matter, here it does. Of an id that a run repeats the first
 * place counts.
 */
export function weightedFusion<TItem extends { readonly id: string }>(
  runs: readonly WeightedRun<TItem>[],
  k0: number,
): (TItem & { readonly score: number })[] {
  const fused = new Map<string, { readonly item: TItem; score: number }>();
  for (const { items, weight } of runs) {
    const seen = new Set<string>();
    for (const item of items) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      const entry = fused.get(item.id) ?? { item, score: 0 };
      entry.score += weight / (k0 + seen.size);
      fused.set(item.id, entry);
    }
  }
  return [...fused.values()]
    .map(({ item, score }) => ({ ...item, score }))
    .toSorted((left, right) => right.score - left.score);
}
