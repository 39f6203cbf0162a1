import { checkCount } from "../../../internal/index.ts";
import type { ParentSelection, ProposalSampling, SearchView } from "./strategy.ts";

/** Iterations without a new candidate before `bestOrParetoParent()` draws from the frontier. */
const patience = 8;
const paretoShare = 0.5;

/**
 * Selects the candidate that is best on val. After 8 iterations without a new candidate, half of
 * the draws select from the frontier instead, so the search can leave a dead end.
 */
export function bestOrParetoParent(): ParentSelection {
  return {
    name: "best-or-pareto",
    select: (view, index) => {
      const { candidates, iteration, random } = view;
      const lastAdded = candidates.at(-1)?.iteration ?? 0;
      if (iteration - lastAdded <= patience) return view.best.id;
      return random("parent kind", index).random() < paretoShare
        ? fromFrontier(view, index)
        : view.best.id;
    },
  };
}

/**
 * Draws from the frontier; a candidate's probability is proportional to the number of fronts it is
 * in after dominated candidates are removed (GEPA, Algorithm 2; `gepa_utils.py` of gepa 0.1.4).
 */
export function paretoParent(): ParentSelection {
  return {
    name: "pareto",
    select: (view, index) => fromFrontier(view, index),
  };
}

function fromFrontier({ frontier, candidates, random }: SearchView, index: number): number {
  const valueOf = (id: number): number => candidates[id]?.selection.value ?? 0;
  const list = asOften(frontier.frequencies(valueOf));
  // If the metric applied to no example, only the seed can have been accepted.
  return list.length === 0 ? 0 : random("parent", index).choice(list);
}

/** Each id, repeated as many times as it is counted. */
export function asOften(counts: ReadonlyMap<number, number>): readonly number[] {
  return [...counts].flatMap(([id, count]) => Array.from({ length: count }, () => id));
}

/** `count` proposals from one parent, each with its own examples. */
export function sameParent({ count = 1 }: { readonly count?: number } = {}): ProposalSampling {
  checkCount("count", count, 1, "sameParent()");
  return {
    name: "same-parent",
    settings: { parents: 1, proposals: count },
    sample: (view, parent, minibatch) => {
      const id = parent.select(view, 0);
      const record = view.candidates[id] ?? view.best;
      return Array.from({ length: count }, (_, number) => ({
        parent: id,
        minibatch: minibatch.next(view, record, number),
      }));
    },
  };
}
