import { shareAfterAcceptance } from "./acceptance-chance.ts";
import { checkCount, checkShare } from "../../../internal/index.ts";
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

export interface AdaptiveWidthOptions {
  /** Maximum proposals of an iteration. @default 8 */
  readonly atMost?: number;
  /**
   * Maximum share of an iteration's proposals, in [0, 1], that are expected to come after one that
   * is accepted, and so to be lost. @default 0.1
   */
  readonly loss?: number;
}

/**
 * As many proposals as the chance of acceptance allows, as the run has it so far: one while most
 * are accepted, since each then builds on the one before, and more the rarer that becomes, since
 * those that would be refused one after the other may as well be made side by side. An iteration
 * accepts one of them at most; the rest of the search is wide, too (see `ProposalSampling.isWide`).
 */
export function adaptiveWidth({
  atMost = 8,
  loss = 0.1,
}: AdaptiveWidthOptions = {}): ProposalSampling {
  checkCount("atMost", atMost, 1, "adaptiveWidth()");
  checkShare("loss", loss, "adaptiveWidth()");
  return {
    name: "adaptive-width",
    settings: { atMost, loss },
    isWide: true,
    costs: () => ({ proposals: atMost }),
    sample: (view, parent, minibatch) => {
      let width = 1;
      while (width < atMost && shareAfterAcceptance(view.acceptance, width + 1) <= loss) width++;
      return Array.from({ length: width }, (_, index) => {
        const id = parent.select(view, index);
        const record = view.candidates[id] ?? view.best;
        return { parent: id, minibatch: minibatch.next(view, record, index) };
      });
    },
  };
}
