import type { SplitName } from "../../contract/index.ts";
import type { Side } from "../data/contrast.ts";
import type { RunComparison } from "../data/run-comparison.ts";
import type { ScoreColumn } from "../data/score-column.ts";

/** The part of a comparison that scores are read from. */
export type ScoredSources = Pick<RunComparison, "examples" | "sources">;

/**
 * A side's scores on a split, by place: the mean over the members that have one, `null` if none
 * has.
 */
export function sideScores(
  { sources }: ScoredSources,
  { members }: Side,
  split: SplitName,
): ReadonlyMap<number, number | null> {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const { source, candidate } of members) {
    const column = sources.find(({ key }) => key === source)?.candidates[candidate]?.scores[split];
    if (column === undefined) continue;
    for (const [index, position] of placesIn(column).entries()) {
      const held = sums.get(position) ?? { sum: 0, count: 0 };
      const value = column.values[index] ?? null;
      held.sum += value ?? 0;
      held.count += value === null ? 0 : 1;
      sums.set(position, held);
    }
  }
  return new Map(
    [...sums].map(([index, { sum, count }]) => [index, count === 0 ? null : sum / count]),
  );
}

/** The places of a column, in the order of its values. */
function placesIn({ places }: Pick<ScoreColumn, "places">): readonly number[] {
  if (!("from" in places)) return places;
  const { from, count } = places;
  return Array.from({ length: count }, (_, index) => from + index);
}
