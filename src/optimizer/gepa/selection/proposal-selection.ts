import { checkCount } from "../strategy/check-range.ts";
import type { ProposalSelection } from "../strategy/strategy.ts";

/** Every proposal that passed. */
export function allPassed(): ProposalSelection {
  return { name: "all", select: (passed) => [...passed.keys()] };
}

/** The proposal with the largest gain, the first of equal ones. */
export function bestPassed(): ProposalSelection {
  return { ...topKPassed({ k: 1 }), name: "best" };
}

/**
 * The `k` proposals with the largest gains, in the order of gain, the first of equal ones first.
 */
export function topKPassed({ k }: { readonly k: number }): ProposalSelection {
  checkCount("k", k);
  return {
    name: "top-k",
    settings: { k },
    select: (passed) =>
      [...passed.keys()]
        .toSorted((one, other) => (passed[other]?.gain ?? 0) - (passed[one]?.gain ?? 0))
        .slice(0, k),
  };
}
