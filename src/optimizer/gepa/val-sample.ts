import type { RandomSource } from "../../contract/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** How many candidates the budget must be able to run on the whole sample. */
const candidates = 12;
const [fewest, most] = [16, 100];

/**
 * How many examples of val candidates are compared on: so few that the budget has room for 12
 * candidates, from 16 to 100. One more candidate is worth more than more examples for each, as long
 * as there are not very few of them (figures: `docs/gepa.md`).
 *
 * @param rollouts what the search may spend; `Infinity` without a cap
 */
export function sampleSize(val: number, rollouts: number): number {
  return Math.min(val, most, Math.max(fewest, Math.floor(rollouts / candidates)));
}

/** The space with a sample of val, drawn at random, in val's order; itself if that is all of it. */
export function withValSample(
  space: SearchSpace,
  size: number,
  random: () => RandomSource,
): SearchSpace {
  if (size >= space.val.length) return space;
  const drawn = new Set(random().shuffle(space.val).slice(0, size));
  return { ...space, val: space.val.filter((id) => drawn.has(id)) };
}
