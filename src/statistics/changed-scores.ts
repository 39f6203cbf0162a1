/** A score that differs between two sides. */
export interface ChangedScore<TKey> {
  readonly key: TKey;
  readonly baseline: number;
  readonly other: number;
}

/**
 * What two sides scored differently: only what both scored, the largest change first, equal ones in
 * the order of the baseline.
 */
export function changedScores<TKey>(
  baseline: ReadonlyMap<TKey, number | null>,
  other: ReadonlyMap<TKey, number | null>,
): readonly ChangedScore<TKey>[] {
  return [...baseline]
    .flatMap(([key, before]): readonly ChangedScore<TKey>[] => {
      const after = other.get(key) ?? null;
      if (before === null || after === null || before === after) return [];
      return [{ key, baseline: before, other: after }];
    })
    .toSorted((one, two) => sizeOf(two) - sizeOf(one));
}

function sizeOf({ baseline, other }: ChangedScore<unknown>): number {
  return Math.abs(other - baseline);
}

/**
 * An estimate as it is shown. A model of the score knows no bounds, but where every score that was
 * seen lies between 0 and 1, no mean of them lies outside.
 */
export function withinScores(estimate: number, scores: readonly (number | null)[]): number {
  const seen = scores.filter((score) => score !== null);
  const isShare = seen.length > 0 && seen.every((score) => score >= 0 && score <= 1);
  return isShare ? Math.min(1, Math.max(0, estimate)) : estimate;
}
