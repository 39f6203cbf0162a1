import type { ChatModel } from "../chat-model.ts";
import type { Findings, Observation } from "./evidence.ts";
import type { KeptRollout, ServeState } from "./open-serve-state.ts";
import { fractionOf, keyHash } from "./rollout-key.ts";

/** A model as it is served. */
export interface ServedModel extends ChatModel {
  /** There where the bare id was asked for, while a candidate stands beside it. */
  readonly trial?: Trial;
}

/** A candidate beside the version that answers by right, while requests come. */
export interface Trial {
  readonly candidate: ChatModel;
  /** The same for all requests of a key; `baseline` as soon as the trial is over. */
  armOf(key: string): "baseline" | "candidate";
  /** Whether both versions are to answer a question of the baseline: each key counts once. */
  isShadowed(key: string): boolean;
  /** Counts a key, and acts on what that decides. */
  observe(key: string, observation: Observation): void;
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
  const { id, model, candidate: version, canary, shadow } = rollout;
  const hashOf = (key: string): Buffer => keyHash(rollout, key);
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
    armOf: (key) =>
      guarded("baseline", () =>
        fractionOf([model, version, key]) < canary && state.statusOf(id) === "running"
          ? "candidate"
          : "baseline",
      ),
    isShadowed: (key) =>
      guarded(
        false,
        () =>
          fractionOf(["shadow", model, version, key]) < shadow &&
          state.statusOf(id) === "running" &&
          !state.hasObserved(id, hashOf(key)),
      ),
    observe: (key, observation) =>
      guarded(undefined, () => {
        if (!state.observe(id, hashOf(key), observation)) return;
        const findings = findingsOf(rollout);
        if (findings.isShownWorse) onShownWorse(findings);
      }),
  };
}
