import type { RandomSource } from "../../contract/index.ts";
import type { ParetoFront } from "./pareto-front.ts";
import { removeDominated } from "./remove-dominated.ts";

/** Number of fronts that each candidate is left in, by id, ascending. */
export function frontFrequencies(
  front: ParetoFront,
  valueOf: (id: number) => number,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const ids of removeDominated(front, valueOf)) {
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([one], [other]) => one - other));
}

/** Draws a parent, each candidate with a chance proportional to the fronts it is in. */
export function paretoParent(
  front: ParetoFront,
  valueOf: (id: number) => number,
  random: RandomSource,
): number {
  const frequencies = frontFrequencies(front, valueOf);
  // Where the metric applied to no example, nothing but the seed can have been accepted.
  if (frequencies.size === 0) return 0;
  return random.weighted([...frequencies.keys()], [...frequencies.values()]);
}
