import { checkCount } from "../strategy/check-range.ts";
import type { ProposalSampling } from "../strategy/strategy.ts";

/** `count` proposals from one parent, each with its own examples. */
export function sameParent({ count = 1 }: { readonly count?: number } = {}): ProposalSampling {
  return { ...parentsTimesProposals({ parents: 1, proposals: count }), name: "same-parent" };
}

/** `count` proposals, each with its own parent and examples. */
export function independent({ count }: { readonly count: number }): ProposalSampling {
  return { ...parentsTimesProposals({ parents: count, proposals: 1 }), name: "independent" };
}

/** `proposals` proposals from each of `parents` parents. */
export function parentsTimesProposals({
  parents,
  proposals,
}: {
  readonly parents: number;
  readonly proposals: number;
}): ProposalSampling {
  checkCount("parents", parents);
  checkCount("proposals", proposals);
  return {
    name: "parents-times-proposals",
    settings: { parents, proposals },
    costs: () => ({ proposals: parents * proposals }),
    sample: (view, parent, minibatch) =>
      Array.from({ length: parents }, (_, place) => {
        const id = parent.select(view, place);
        const record = view.candidates[id] ?? view.best;
        return Array.from({ length: proposals }, (_, number) => ({
          parent: id,
          minibatch: minibatch.next(view, record, place * proposals + number),
        }));
      }).flat(),
  };
}
