import type { SplitName } from "../../contract/index.ts";
import type { Side } from "../data/contrast.ts";
import type { Flip } from "../data/flip.ts";
import type { ScoredSources } from "./side-scores.ts";
import { sideScores } from "./side-scores.ts";

/**
 * The examples that two sides scored differently, the largest change first, of equal ones in the
 * order of the examples.
 */
export function flipsOf(
  comparison: ScoredSources,
  {
    baseline,
    other,
    split,
  }: { readonly baseline: Side; readonly other: Side; readonly split: SplitName },
): readonly Flip[] {
  const [before, after] = [baseline, other].map((side) => sideScores(comparison, side, split));
  return [...(before ?? [])]
    .flatMap(([example, one]): readonly Flip[] => {
      const two = after?.get(example);
      if (one.value === null || two === undefined || two.value === null) return [];
      if (one.value === two.value) return [];
      const isInherited = one.isInherited || two.isInherited;
      return [{ example, baseline: one.value, other: two.value, isInherited }];
    })
    .toSorted((one, two) => sizeOf(two) - sizeOf(one) || one.example - two.example);
}

function sizeOf({ baseline, other }: Flip): number {
  return Math.abs(other - baseline);
}
