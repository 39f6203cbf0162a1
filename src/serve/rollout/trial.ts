import type { ChatModel } from "../chat-model.ts";
import type { Findings, Scores } from "./evidence.ts";
import type { KeptRollout } from "./kept-rollout.ts";
import { observationWeight } from "./observation-weight.ts";
import type { ObservedKey, ServeState } from "./open-serve-state.ts";
import type { Asker } from "./rollout-key.ts";
import { apiKeyHash, fractionOf, keyHash } from "./rollout-key.ts";

/** A model as it is served. */
export interface ServedModel extends ChatModel {
  /** There where the bare id was asked for, while a candidate stands beside it. */
  readonly trial?: Trial;
}

/** A candidate beside the version that answers by right, while requests come. */
export interface Trial {
  readonly candidate: ChatModel;
  /** The same for all requests of an asker; `baseline` as soon as the trial is over. */
  armOf(asker: Asker): "baseline" | "candidate";
  /** Whether both versions are to answer a question of the baseline: each asker counts once. */
  isShadowed(asker: Asker): boolean;
  /**
   * Counts an asker, and acts on what that decides.
   *
   * @param isUnpaired whether both versions were to answer, and the candidate was not asked
   */
  observe(asker: Asker, scores: Scores, isUnpaired?: boolean): void;
  /** Does not count this asker, nor later: it may know by now which version it gets. */
  spend(asker: Asker): void;
}

/**
 * @param onShownWorse hears once, among all servers that share the state
 * @param onFault hears of a state that cannot be read or written: traffic is the baseline's then
 */
export function trial({
  rollout,
  candidate,
  state,
  findingsOf,
  onShownWorse,
  onFault,
}: {
  readonly rollout: KeptRollout;
  readonly candidate: ChatModel;
  readonly state: ServeState;
  readonly findingsOf: (rollout: KeptRollout) => Findings;
  readonly onShownWorse: (findings: Findings) => void;
  readonly onFault: (error: unknown) => void;
}): Trial {
  const { id, canary, shadow } = rollout;
  const { hashed } = state;
  const hashOf = ({ apiKey, key }: Asker): ObservedKey => ({
    apiKey: apiKeyHash(hashed, apiKey),
    key: keyHash(hashed, rollout, key),
  });
  const drawn = (purpose: "arm" | "shadow", asker: Asker): number =>
    fractionOf(hashed, purpose, { pair: rollout, asker });
  const guarded = <TResult>(otherwise: TResult, work: () => TResult): TResult => {
    try {
      return work();
    } catch (error) {
      onFault(error);
      return otherwise;
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
