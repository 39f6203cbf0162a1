import type { ProposalSelection } from "espalier/optimizer";

/** Selects the proposal with the largest gain, the first on ties. */
export function bestPassed(): ProposalSelection {
  return {
    name: "best",
    select: (passed) =>
      [...passed.keys()]
        .toSorted((one, other) => (passed[other]?.gain ?? 0) - (passed[one]?.gain ?? 0))
        .slice(0, 1),
  };
}
