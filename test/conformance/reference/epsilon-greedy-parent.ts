import type { ParentSelection } from "../../../src/optimizer/gepa/strategy/strategy.ts";

/** Selects the best candidate or, in a share `epsilon` of the draws, any candidate. */
export function epsilonGreedyParent({
  epsilon = 0.1,
}: { readonly epsilon?: number } = {}): ParentSelection {
  return {
    name: "epsilon-greedy",
    settings: { epsilon },
    select: ({ best, candidates, random }, index) => {
      const draws = random("parent", index);
      return draws.random() < epsilon ? draws.below(candidates.length) : best.id;
    },
  };
}
