import type { Registry } from "../../artifact/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { Findings, Scores } from "../comparison/sequential-comparison.ts";
import type { StoredCanary, Asker } from "../state/stored-canary.ts";
import type { ObservedKey, ServeState } from "../state/open-serve-state.ts";
import { canarySentence, incrementalComparison } from "./canary-report.ts";
import type { CanaryRun, ServedModel } from "../model/served-model.ts";
import { apiKeyHash, fractionOf, keyHash } from "../state/stored-canary.ts";
import type { CanarySettings } from "./canary-settings.ts";

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

/** The version, or versions, that answered one key's question. */
type AnsweredBy =
  | "baseline"
  | "candidate"
  | "both"
  /** Both should have answered, but the candidate was not asked, so there is nothing to compare. */
  | "baseline-unpaired";

/**
 * The weight of an answer. Given the shares of keys that get each version, the weights balance: on
 * average, the baseline's answers add as much as the candidate's subtract. The greater of the two
 * weights is 1.
 */
export function observationWeight(
  { canary, shadow }: { readonly canary: number; readonly shadow: number },
  answeredBy: AnsweredBy,
): number {
  if (answeredBy === "both") return 1;
  if (answeredBy === "baseline-unpaired") return 0;
  const baselineAlone = (1 - canary) * (1 - shadow);
  if (answeredBy === "candidate") return Math.min(1, baselineAlone / canary);
  return baselineAlone === 0 ? 0 : Math.min(1, canary / baselineAlone);
}
