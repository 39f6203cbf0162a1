import type { SequentialComparison, Findings } from "../comparison/sequential-comparison.ts";
import { sequentialComparison } from "../comparison/sequential-comparison.ts";
import type { StoredCanary } from "../state/stored-canary.ts";
import type { ServeState } from "../state/open-serve-state.ts";

/**
 * Findings of a rollout, including observations of other processes; reads each observation once.
 */
export function incrementalComparison(
  state: Pick<ServeState, "observationsAfter">,
): (rollout: StoredCanary) => Findings {
  const folds = new Map<
    number,
    { readonly keyShare: number; readonly comparison: SequentialComparison; last: number }
  >();
  return (rollout) => {
    const { id, keyShare } = rollout;
    const known = folds.get(id);
    // A rollout that became bounded evaluates the same observations differently.
    const fold =
      known?.keyShare === keyShare
        ? known
        : { keyShare, comparison: sequentialComparison(rollout), last: 0 };
    folds.set(id, fold);
    for (const { number, observation } of state.observationsAfter(id, fold.last)) {
      fold.comparison.add(observation);
      fold.last = number;
    }
    return fold.comparison.findings;
  };
}
