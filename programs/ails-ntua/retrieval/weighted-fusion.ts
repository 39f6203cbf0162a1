/** One ranking of a fusion, best first. */
export interface WeightedRun<TItem> {
  readonly items: readonly TItem[];
  /** At least 0. */
  readonly weight: number;
}

/**
 * Weighted reciprocal rank fusion as the authors compute it: an item's score is the sum of `weight
 * / (k0 + rank)` over the runs that contain it, with ranks from 1 and ties in the order of first
 * appearance. The order of the runs therefore matters here, unlike in `reciprocalRankFusion` of
 * `espalier/retrieval`, which breaks ties by id. If a run repeats an id, its first place counts.
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
