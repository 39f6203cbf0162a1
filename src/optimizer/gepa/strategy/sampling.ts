import { checkCount } from "../../../internal/index.ts";
import type { ProposalSampling } from "./strategy.ts";

/** `count` proposals from one parent, each with its own examples. */
export function sameParent({ count = 1 }: { readonly count?: number } = {}): ProposalSampling {
  checkCount("count", count, 1, "sameParent()");
  return {
    name: "same-parent",
    settings: { parents: 1, proposals: count },
    costs: () => ({ proposals: count }),
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
