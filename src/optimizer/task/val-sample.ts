import { randomSource } from "../../internal/index.ts";
import type { SearchSpace } from "./search-space.ts";

/**
 * A sample of val, drawn at random, in val's order. Of one seed, a larger sample holds a smaller
 * one, so that two searches of one run compare on the same examples as far as they can.
 */
export function sampleOf(val: readonly string[], size: number, seed: number): readonly string[] {
  if (size >= val.length) return val;
  const drawn = new Set(randomSource(seed, "gepa/val-sample").shuffle(val).slice(0, size));
  return val.filter((id) => drawn.has(id));
}

/** How many candidates the budget must be able to run on the whole sample. */
const candidatesCovered = 12;
const [fewest, most] = [16, 100];

/**
 * How many examples of val candidates are compared on: so few that the budget has room for 12
 * candidates, from 16 to 100. One more candidate is worth more than more examples for each, as long
 * as there are not very few of them (figures: `docs/gepa.md`). Part of val says nothing of an
 * objective that is not a mean over examples.
 *
 * @param given by the user, in place of this rule; `null`: all of val
 * @param rollouts what the search may spend; `Infinity` without a cap
 */
export function sampleSize(
  { val, isMean = true }: Pick<SearchSpace, "val" | "isMean">,
  given: number | null | undefined,
  rollouts: number,
): number {
  if (!isMean || given === null) return val.length;
  const byBudget = Math.max(fewest, Math.floor(rollouts / candidatesCovered));
  return Math.min(val.length, given ?? Math.min(most, byBudget));
}
