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
