import type { ParentSelection } from "../../../src/optimizer/gepa/strategy/strategy.ts";

/** Selects the candidate that is best on val. */
export function bestParent(): ParentSelection {
  return { name: "best", select: ({ best }) => best.id };
}
