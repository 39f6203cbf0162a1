import type { CanaryRun } from "../model/served-model.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { Findings, Scores } from "../comparison/sequential-comparison.ts";
import type { StoredCanary } from "../state/stored-canary.ts";
import { observationWeight } from "../comparison/observation-weight.ts";
import type { ObservedKey, ServeState } from "../state/open-serve-state.ts";
import type { Asker } from "../state/canary-key.ts";
import { apiKeyHash, fractionOf, keyHash } from "../state/canary-key.ts";

/**
 * @param onShownWorse called once among all servers that share the state
 * @param onFault called if the state cannot be read or written: the baseline then gets all traffic
 */
export function canaryRun({
  rollout,
  candidate,
  state,
  findingsOf,
  onShownWorse,
  onFault,
}: {
  readonly rollout: StoredCanary;
  readonly candidate: ChatModel;
  readonly state: ServeState;
  readonly findingsOf: (rollout: StoredCanary) => Findings;
  readonly onShownWorse: (findings: Findings) => void;
  readonly onFault: (error: unknown) => void;
}): CanaryRun {
  const { id, canary, shadow } = rollout;
  const { hashed } = state;
  const hashOf = ({ apiKey, key }: Asker): ObservedKey => ({
    apiKey: apiKeyHash(hashed, apiKey),
    key: keyHash(hashed, rollout, key),
  });
  const drawn = (purpose: "arm" | "shadow", asker: Asker): number =>
    fractionOf(hashed, purpose, { pair: rollout, asker });
  const guarded = <TResult>(fallback: TResult, work: () => TResult): TResult => {
    try {
      return work();
    } catch (error) {
      onFault(error);
      return fallback;
    }
  };
  return {
    candidate,
    armOf: (asker) =>
      guarded("baseline", () =>
        drawn("arm", asker) < canary && state.statusOf(id) === "running" ? "candidate" : "baseline",
      ),
    isShadowed: (asker) =>
      guarded(
        false,
        () =>
          drawn("shadow", asker) < shadow &&
          state.statusOf(id) === "running" &&
          !state.hasObserved(id, hashOf(asker)),
      ),
    observe: (asker, scores, isUnpaired = false) =>
      guarded(undefined, () => {
        const weight = observationWeight(rollout, isUnpaired ? "baseline-unpaired" : byOf(scores));
        if (!state.observe(id, hashOf(asker), { ...scores, weight })) return;
        const findings = findingsOf(rollout);
        if (findings.isShownWorse) onShownWorse(findings);
      }),
    spend: (asker) => guarded(undefined, () => state.spend(id, hashOf(asker))),
  };
}

function byOf({ baseline, candidate }: Scores): "baseline" | "candidate" | "both" {
  if (baseline === null) return "candidate";
  return candidate === null ? "baseline" : "both";
}
