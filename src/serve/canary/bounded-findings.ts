import type { Findings } from "../comparison/sequential-comparison.ts";
import { incrementalComparison } from "./incremental-comparison.ts";
import type { StoredCanary } from "../state/stored-canary.ts";
import type { ServeState } from "../state/open-serve-state.ts";

/**
 * What the observations say under the bound that holds by now, whichever server set it. The bound
 * comes as soon as several API keys may ask, or have asked: it then holds for what was observed
 * before as well. It stays when keys are revoked, or the observations of a revoked key would decide
 * without it.
 *
 * @param keyShare of a server with several API keys
 */
export function boundedFindings(
  state: Pick<ServeState, "observationsAfter" | "bound" | "keyShareOf">,
  {
    keyShare,
    hasSeveralKeys,
  }: { readonly keyShare: number; readonly hasSeveralKeys: () => boolean },
): (rollout: StoredCanary) => Findings {
  const findingsOf = incrementalComparison(state);
  return (rollout) => {
    const kept = state.keyShareOf(rollout.id);
    const findings = findingsOf({ ...rollout, keyShare: kept });
    const isOfSeveral = hasSeveralKeys() || findings.apiKeys > 1;
    if (!isOfSeveral || kept <= keyShare) return findings;
    state.bound(rollout.id, keyShare);
    return findingsOf({ ...rollout, keyShare });
  };
}
