import { checkCount } from "../strategy/check-range.ts";
import type { ProposalSelection } from "../strategy/strategy.ts";

/** Selects every proposal that passed. */
export function allPassed(): ProposalSelection {
  return { name: "all", select: (passed) => [...passed.keys()] };
}

/** Selects the proposal with the largest gain, the first on ties. */
export function bestPassed(): ProposalSelection {
  return { ...topKPassed({ k: 1 }), name: "best" };
}

/** Selects the `k` proposals with the largest gains, in order of gain; ties keep their order. */
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
