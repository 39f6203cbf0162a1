import type { SplitName } from "../../contract/index.ts";
import type { Side } from "../data/contrast.ts";
import type { RunComparison } from "../data/run-comparison.ts";
import type { ScoreColumn } from "../data/score-column.ts";

/** A side's score on one example. */
export interface SideScore {
  /** The mean over the members that have one; `null` if none has. */
  readonly value: number | null;
  /** Whether a member's score is reused, as far as its run tells. */
  readonly isReused: boolean;
}

/** The part of a comparison that scores are read from. */
export type ScoredSources = Pick<RunComparison, "examples" | "sources">;

/** A side's scores on a split, by place. */
export function sideScores(
  { sources }: ScoredSources,
  { members }: Side,
  split: SplitName,
): ReadonlyMap<number, SideScore> {
  const sums = new Map<number, { sum: number; count: number; isReused: boolean }>();
  for (const { source, candidate } of members) {
    const column = sources.find(({ key }) => key === source)?.candidates[candidate]?.scores[split];
    if (column === undefined) continue;
    const { reused = [] } = column;
    const others = new Set(reused === "unknown" ? [] : reused);
    for (const [index, position] of placesIn(column).entries()) {
      const held = sums.get(position) ?? { sum: 0, count: 0, isReused: false };
      const value = column.values[index] ?? null;
      held.sum += value ?? 0;
      held.count += value === null ? 0 : 1;
      held.isReused ||= others.has(index);
      sums.set(position, held);
    }
  }
  return new Map(
    [...sums].map(([index, { sum, count, isReused }]) => [
      index,
      { value: count === 0 ? null : sum / count, isReused },
    ]),
  );
}

/** The places of a column, in the order of its values. */
function placesIn({ places }: Pick<ScoreColumn, "places">): readonly number[] {
  if (!("from" in places)) return places;
  const { from, count } = places;
  return Array.from({ length: count }, (_, index) => from + index);
}
