import { checkCount, checkShare } from "../strategy/check-range.ts";
import type { ParentSelection } from "../strategy/strategy.ts";
import { fromFrontier } from "./pareto-parent.ts";

/**
 * Takes the candidate that is best on val. After `patience` iterations that added none, takes one
 * of the frontier instead in a share of the draws, so that a search in a dead end finds out of it.
 */
export function bestOrParetoParent({
  patience = 8,
  paretoShare = 0.5,
}: { readonly patience?: number; readonly paretoShare?: number } = {}): ParentSelection {
  checkCount("patience", patience);
  checkShare("paretoShare", paretoShare);
  return {
    name: "best-or-pareto",
    settings: { patience, paretoShare },
    select: (view, place) => {
      const { best, candidates, iteration, random } = view;
      const lastAdded = candidates.at(-1)?.iteration ?? 0;
      if (iteration - lastAdded <= patience) return best.id;
      return random("parent kind", place).random() < paretoShare
        ? fromFrontier(view, place)
        : best.id;
    },
  };
}
