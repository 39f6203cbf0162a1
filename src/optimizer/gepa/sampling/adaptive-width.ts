import { checkCount, checkShare } from "../strategy/check-range.ts";
import { shareAfterAcceptance } from "../strategy/acceptance-chance.ts";
import type { ProposalSampling } from "../strategy/strategy.ts";

export interface AdaptiveWidthOptions {
  /** Maximum proposals of an iteration. @default 8 */
  readonly atMost?: number;
  /**
   * Maximum share of an iteration's proposals, in [0, 1], that are expected to come after one that
   * is accepted, and so to be lost. @default 0.1
   */
  readonly loss?: number;
  /**
   * While children are evaluated, the search already asks for the text that the next iteration
   * needs first, and where it counts on an acceptance also makes the runs on train before it, if
   * the outcome is at least this likely by the run so far: a chance, as a rule above .5. Another
   * outcome loses them. About a tenth of the waits are saved with .6. 1: never. @default 1
   */
  readonly aheadFrom?: number;
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
  aheadFrom = 1,
}: AdaptiveWidthOptions = {}): ProposalSampling {
  checkCount("atMost", atMost);
  checkShare("loss", loss);
  checkShare("aheadFrom", aheadFrom);
  return {
    name: "adaptive-width",
    settings: { atMost, loss, aheadFrom },
    isWide: true,
    ...(aheadFrom < 1 && { looksAheadFrom: aheadFrom }),
    costs: () => ({ proposals: atMost }),
    sample: (view, parent, minibatch) => {
      let width = 1;
      while (width < atMost && shareAfterAcceptance(view.acceptance, width + 1) <= loss) width++;
      return Array.from({ length: width }, (_, place) => {
        const id = parent.select(view, place);
        const record = view.candidates[id] ?? view.best;
        return { parent: id, minibatch: minibatch.next(view, record, place) };
      });
    },
  };
}
