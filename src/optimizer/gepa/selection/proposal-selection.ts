import type { ProposalSelection } from "../strategy/strategy.ts";

/** Selects every proposal that passed. */
export function allPassed(): ProposalSelection {
  return { name: "all", select: (passed) => [...passed.keys()] };
}
