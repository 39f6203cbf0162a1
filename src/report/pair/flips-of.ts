import type { SplitName } from "../../contract/index.ts";
import { changedScores } from "../../statistics/index.ts";
import type { Side } from "../data/contrast.ts";
import type { ScoredSources, SideScore } from "./side-scores.ts";
import { sideScores } from "./side-scores.ts";

/** An example that two sides scored differently. */
export interface Flip {
  /** Place in the comparison's `examples`. */
  readonly example: number;
  readonly baseline: number;
  readonly other: number;
  /** Whether one of the two scores is reused: that side was not run on the example. */
  readonly isReused: boolean;
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
  const [before, after] = [baseline, other].map((side) => sideScores(comparison, side, split)) as [
    ReadonlyMap<number, SideScore>,
    ReadonlyMap<number, SideScore>,
  ];
  return changedScores(valuesOf(before), valuesOf(after)).map(
    ({ key: example, ...values }): Flip => ({
      example,
      ...values,
      isReused: [before, after].some((side) => side.get(example)?.isReused === true),
    }),
  );
}

function valuesOf(scores: ReadonlyMap<number, SideScore>): ReadonlyMap<number, number | null> {
  const inOrder = [...scores].toSorted(([one], [two]) => one - two);
  return new Map(inOrder.map(([index, { value }]) => [index, value]));
}
