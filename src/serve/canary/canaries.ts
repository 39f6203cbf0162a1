import type { Registry } from "../../artifact/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { Findings } from "../comparison/sequential-comparison.ts";
import type { StoredCanary } from "../state/stored-canary.ts";
import type { ServeState } from "../state/open-serve-state.ts";
import { canarySentence } from "./canary-report.ts";
import type { ServedModel } from "../model/served-model.ts";
import { canaryRun } from "./canary-run.ts";
import type { CanarySettings } from "./canary-settings.ts";
import { incrementalComparison } from "./incremental-comparison.ts";

/** A candidate, and when it became one: ISO 8601, empty if the history does not say. */
export interface StandingCandidate {
  readonly model: ChatModel;
  readonly since: string;
}

export interface Canaries {
  /**
   * The model with its trial. Called with each question, since aliases move while the server runs.
   *
   * @param candidate `null` if the registry has no candidate, or only the baseline itself
   */
  withCanary(baseline: ChatModel, candidate: StandingCandidate | null): ServedModel;
}

/** Begins, continues and ends the trials of a server as the aliases of its registry move. */
export function canaries({
  state,
  registry,
  log,
  settings: { canary, shadow, alpha, tolerance, keyShare },
  hasSeveralKeys,
}: {
  readonly state: ServeState;
  readonly registry: Registry;
  readonly log: ServerLog;
  readonly settings: Required<CanarySettings>;
  /** With at most one API key there is no bound: no evidence would remain without that key. */
  readonly hasSeveralKeys: () => boolean;
}): Canaries {
  const findingsOf = boundedFindings(state, { keyShare, hasSeveralKeys });
  const standing = new Map<
    string,
    {
      readonly baseline: ChatModel;
      readonly since: string | null;
      /** Whether several API keys could ask since the trial began. */
      readonly hadSeveralKeys: boolean;
      readonly model: ServedModel;
    }
  >();

  const withdraw = async (program: string, rollout: StoredCanary, why: string): Promise<void> => {
    const { model, candidate } = rollout;
    try {
      await registry.withdraw(program, "candidate", candidate, { by: "espalier serve", why });
    } catch (error) {
      log("rollback-unwritten", { model, candidate, problem: messageOf(error) });
    }
  };
  const begin = (
    baseline: ChatModel,
    { model: candidate, since }: StandingCandidate,
  ): ServedModel => {
    const { id: model, version } = baseline;
    const pair = { model, baseline: version, candidate: candidate.version, since };
    const shares = { canary, shadow };
    const rules = { alpha, tolerance, keyShare: hasSeveralKeys() ? keyShare : 1 };
    const rollout = state.begin(pair, { ...shares, ...rules });
    if (rollout.status === "rolled-back") {
      // Another server rolled it back, or this one before a restart: the registry may not know yet.
      void withdraw(baseline.program.name, rollout, rollout.why ?? "");
      return baseline;
    }
    // Bounds a rollout at once if it holds observations of several API keys.
    findingsOf(rollout);
    log("rollout", { ...pair, ...shares, keyShare: state.keyShareOf(rollout.id) });
    const running = canaryRun({
      rollout,
      candidate,
      state,
      findingsOf,
      onShownWorse: (findings) => {
        const why = canarySentence(rollout, findings);
        if (!state.rollBack(rollout.id, why)) return;
        log("rolled-back", { ...pair, why });
        void withdraw(baseline.program.name, rollout, why);
      },
      onFault: (error) => log("rollout-unwritten", { model, problem: messageOf(error) }),
    });
    return Object.freeze({ ...baseline, canaryRun: running });
  };
  return {
    withCanary: (baseline, candidate) => {
      const { id } = baseline;
      const known = standing.get(id);
      const since = candidate === null ? null : `${candidate.model.version} ${candidate.since}`;
      const isKnown = known?.baseline === baseline && known.since === since;
      const hadSeveralKeys = hasSeveralKeys();
      if (isKnown && (known.hadSeveralKeys || !hadSeveralKeys)) return known.model;
      try {
        if (candidate === null) state.end(id);
        const model = candidate === null ? baseline : begin(baseline, candidate);
        standing.set(id, { baseline, since, hadSeveralKeys, model });
        return model;
      } catch (error) {
        log("rollout-unwritten", { model: id, problem: messageOf(error) });
        return baseline;
      }
    },
  };
}

/**
 * Findings under the bound that is in force now, whichever server set it. The bound applies as soon
 * as several API keys may ask, or have asked, and then covers earlier observations as well. It
 * stays when keys are revoked; otherwise a revoked key's observations could decide alone.
 *
 * @param keyShare the bound of a server with several API keys
 */
function boundedFindings(
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
