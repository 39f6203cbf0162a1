import type { ParentSelection } from "../strategy/strategy.ts";
import type { ParentView } from "../strategy/views.ts";

/**
 * Draws from the frontier; a candidate's probability is proportional to the number of fronts it is
 * in after dominated candidates are removed (GEPA, Algorithm 2; `gepa_utils.py` of gepa 0.1.4).
 */
export function paretoParent(): ParentSelection {
  return {
    name: "pareto",
    select: (view, place) => fromFrontier(view, place),
  };
}

export function fromFrontier({ frontier, candidates, random }: ParentView, place: number): number {
  const valueOf = (id: number): number => candidates[id]?.selection.value ?? 0;
  const list = asOften(frontier.frequencies(valueOf));
  // If the metric applied to no example, only the seed can have been accepted.
  return list.length === 0 ? 0 : random("parent", place).choice(list);
}

/** Each id, repeated as many times as it is counted. */
export function asOften(counts: ReadonlyMap<number, number>): readonly number[] {
  return [...counts].flatMap(([id, count]) => Array.from({ length: count }, () => id));
}
