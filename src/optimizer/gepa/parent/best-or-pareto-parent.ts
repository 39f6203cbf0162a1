import { checkCount, checkShare } from "../../../internal/index.ts";
import { patience as stalledAfter } from "../strategy/patience.ts";
import type { ParentSelection } from "../strategy/strategy.ts";
import { fromFrontier } from "./pareto-parent.ts";

/**
 * Selects the candidate that is best on val; where scores vary from run to run, the one with the
 * highest posterior mean. After `patience` iterations without a new candidate, a
 * share of the draws selects from the frontier instead, so the search can leave a dead end.
 */
export function bestOrParetoParent({
  patience = stalledAfter,
  paretoShare = 0.5,
}: { readonly patience?: number; readonly paretoShare?: number } = {}): ParentSelection {
  checkCount("patience", patience, 1, "bestOrParetoParent()");
  checkShare("paretoShare", paretoShare, "bestOrParetoParent()");
  return {
    name: "best-or-pareto",
    settings: { patience, paretoShare },
    select: (view, place) => {
      const { candidates, iteration, random } = view;
      const lastAdded = candidates.at(-1)?.iteration ?? 0;
      if (iteration - lastAdded <= patience) return view.likeliestBest.id;
      return random("parent kind", place).random() < paretoShare
        ? fromFrontier(view, place)
        : view.likeliestBest.id;
    },
  };
}
