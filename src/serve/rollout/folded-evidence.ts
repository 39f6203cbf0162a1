import type { Evidence, Findings } from "./evidence.ts";
import { evidence } from "./evidence.ts";
import type { KeptRollout, ServeState } from "./open-serve-state.ts";

/** What the observations of a rollout say, with those of other processes; each is read once. */
export function foldedEvidence(
  state: Pick<ServeState, "observationsAfter">,
): (rollout: KeptRollout) => Findings {
  const folds = new Map<number, { readonly evidence: Evidence; last: number }>();
  return (rollout) => {
    const fold = folds.get(rollout.id) ?? { evidence: evidence(rollout), last: 0 };
    folds.set(rollout.id, fold);
    for (const { number, observation } of state.observationsAfter(rollout.id, fold.last)) {
      fold.evidence.add(observation);
      fold.last = number;
    }
    return fold.evidence.findings;
  };
}
