import { checkCount } from "../strategy/check-range.ts";
import { withoutDominated } from "../strategy/without-dominated.ts";
import type { ParentSelection } from "../strategy/strategy.ts";

/** Draws as `paretoParent`, from fronts that hold none but the `k` candidates best on val. */
export function topKParetoParent({ k = 5 }: { readonly k?: number } = {}): ParentSelection {
  checkCount("k", k);
  return {
    name: "top-k-pareto",
    settings: { k },
    select: ({ best, candidates, frontier, random }, place) => {
      const valueOf = (id: number): number => candidates[id]?.selection.value ?? 0;
      const top = new Set(
        candidates
          .map(({ id }) => id)
          .toSorted((one, other) => valueOf(other) - valueOf(one) || one - other)
          .slice(0, k),
      );
      const fronts = frontier
        .fronts()
        .map(({ ids }) => ids.filter((id) => top.has(id)))
        .filter(({ length }) => length > 0);
      const list = withoutDominated(fronts, valueOf)
        .flat()
        .toSorted((one, other) => one - other);
      return list.length === 0 ? best.id : random("parent", place).choice(list);
    },
  };
}
