import type { SplitName } from "../../contract/index.ts";
import { changedScores } from "../../statistics/index.ts";
import type { Side } from "../data/contrast.ts";
import type { ScoredSources } from "./side-scores.ts";
import { sideScores } from "./side-scores.ts";

/** An example that two sides scored differently. */
export interface Flip {
  /** Place in the comparison's `examples`. */
  readonly example: number;
  readonly baseline: number;
  readonly other: number;
}

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
  const inOrder = (side: Side): ReadonlyMap<number, number | null> =>
    new Map([...sideScores(comparison, side, split)].toSorted(([one], [two]) => one - two));
  const changed = changedScores(inOrder(baseline), inOrder(other));
  return changed.map(({ key: example, ...values }): Flip => ({
    example,
    ...values,
  }));
}
