import type { ProposalSampling } from "espalier/optimizer";

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
  return {
    name: "parents-times-proposals",
    settings: { parents, proposals },
    sample: (view, parent, minibatch) =>
      Array.from({ length: parents }, (_, index) => {
        const id = parent.select(view, index);
        const record = view.candidates[id] ?? view.best;
        return Array.from({ length: proposals }, (_, number) => ({
          parent: id,
          minibatch: minibatch.next(view, record, index * proposals + number),
        }));
      }).flat(),
  };
}
