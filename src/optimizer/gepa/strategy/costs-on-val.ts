import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { CostView } from "./views.ts";

/**
 * Maximum rollouts on val for a child, for each component that it could change; ascending. Excludes
 * components that ran nowhere on val, since nothing can be learned about them there.
 */
export function costsOnVal(view: CostView, parent: CandidateRecord): readonly number[] {
  return view
    .componentsOf(parent)
    .map((component) => view.neededOnVal(parent, [component]))
    .filter((cost) => cost > 0)
    .toSorted((one, other) => one - other);
}
