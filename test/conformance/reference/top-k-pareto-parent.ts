import { frequenciesIn } from "../../../src/optimizer/gepa/strategy/frontier.ts";
import type { ParentSelection } from "../../../src/optimizer/gepa/strategy/strategy.ts";
import { asOften } from "../../../src/optimizer/gepa/strategy/parents.ts";

/** Draws like `paretoParent`, from fronts restricted to the `k` candidates best on val. */
export function topKParetoParent({ k = 5 }: { readonly k?: number } = {}): ParentSelection {
  return {
    name: "top-k-pareto",
    settings: { k },
    select: ({ best, candidates, frontier, random }, index) => {
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
      const list = asOften(frequenciesIn(fronts, valueOf));
      return list.length === 0 ? best.id : random("parent", index).choice(list);
    },
  };
}
