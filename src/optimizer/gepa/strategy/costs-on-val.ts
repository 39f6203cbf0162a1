import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { CostView } from "./views.ts";

/**
 * Rollouts on val that a child takes at most, for each component that it could change; ascending.
 * Without those that ran nowhere on val, of which nothing can be learnt there.
 */
export function costsOnVal(view: CostView, parent: CandidateRecord): readonly number[] {
  return view
    .componentsOf(parent)
    .map((component) => view.mostMissingOnVal(parent, [component]))
    .filter((cost) => cost > 0)
    .toSorted((one, other) => one - other);
}
