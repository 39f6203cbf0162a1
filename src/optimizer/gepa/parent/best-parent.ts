import type { ParentSelection } from "../strategy/strategy.ts";

/** Selects the candidate that is best on val. */
export function bestParent(): ParentSelection {
  return { name: "best", select: ({ best }) => best.id };
}
