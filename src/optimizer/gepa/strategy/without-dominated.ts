/**
 * Removes candidates that no example needs. Worst first (by `valueOf`, then in the order in which
 * the fronts name them), a candidate is removed if every front it is in contains another remaining
 * candidate. Returns what is left of each front.
 *
 * As in gepa 0.1.4 (`gepa_utils.py`), but with a front's ids in ascending order where gepa iterates
 * a set. gepa restarts the search after each removal; one pass gives the same result, since a
 * candidate that cannot be removed now cannot be removed after others are gone either.
 */
export function withoutDominated(
  fronts: readonly (readonly number[])[],
  valueOf: (id: number) => number,
): readonly (readonly number[])[] {
  const placesOf = new Map<number, number[]>();
  for (const [place, ids] of fronts.entries()) {
    for (const id of ids) {
      const places = placesOf.get(id) ?? [];
      places.push(place);
      placesOf.set(id, places);
    }
  }
  const left = fronts.map(({ length }) => length);
  const gone = new Set<number>();
  const worstFirst = [...placesOf.keys()].toSorted((one, other) => valueOf(one) - valueOf(other));
  for (const id of worstFirst) {
    const places = placesOf.get(id) ?? [];
    if (places.some((place) => (left[place] ?? 0) < 2)) continue;
    gone.add(id);
    for (const place of places) left[place] = (left[place] ?? 0) - 1;
  }
  return fronts.map((ids) => ids.filter((id) => !gone.has(id)));
}
