import type { Evidence, Findings } from "./evidence.ts";
import { evidence } from "./evidence.ts";
import type { KeptRollout } from "./kept-rollout.ts";
import type { ServeState } from "./open-serve-state.ts";

/** What the observations of a rollout say, with those of other processes; each is read once. */
export function foldedEvidence(
  state: Pick<ServeState, "observationsAfter">,
): (rollout: KeptRollout) => Findings {
  const folds = new Map<
    number,
    { readonly keyShare: number; readonly evidence: Evidence; last: number }
  >();
  return (rollout) => {
    const { id, keyShare } = rollout;
    const known = folds.get(id);
    // A rollout that came to be bounded sees the same observations in another light.
    const fold =
      known?.keyShare === keyShare ? known : { keyShare, evidence: evidence(rollout), last: 0 };
    folds.set(id, fold);
    for (const { number, observation } of state.observationsAfter(id, fold.last)) {
      fold.evidence.add(observation);
      fold.last = number;
    }
    return fold.evidence.findings;
  };
}
