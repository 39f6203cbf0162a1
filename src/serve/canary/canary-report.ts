import type { JsonObject } from "../../contract/index.ts";
import type { Findings, SequentialComparison } from "../comparison/sequential-comparison.ts";
import { sequentialComparison } from "../comparison/sequential-comparison.ts";
import type { StoredCanary } from "../state/stored-canary.ts";
import type { ServeState } from "../state/open-serve-state.ts";

/** The state of a rollout. */
export interface CanaryReport extends Omit<StoredCanary, "id"> {
  readonly findings: Findings;
}

/** Each further call reads only new observations. */
export function canaryReports(state: ServeState): () => readonly CanaryReport[] {
  const findingsOf = incrementalComparison(state);
  return () =>
    state.rollouts().map((rollout) => {
      const { id: _, ...known } = rollout;
      return { ...known, findings: findingsOf(rollout) };
    });
}

/** The figures in one sentence, for histories and logs. */
export function canarySentence(
  { baseline, alpha, tolerance }: Pick<StoredCanary, "baseline" | "alpha" | "tolerance">,
  findings: Findings,
): string {
  const arm = ({ keys, meanScore }: Findings["candidate"]): string =>
    `${meanScore === null ? "none" : meanScore.toFixed(3)} of ${keys} keys`;
  return (
    `mean score ${arm(findings.candidate)} against ${arm(findings.baseline)} with ${baseline}; ` +
    `evidence for worse ${findings.worse.toPrecision(3)}, ${Number((1 / alpha).toPrecision(3))} decides ` +
    `(alpha ${alpha}, tolerance ${tolerance})`
  );
}

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

/** The machine-readable form of a report. */
export function canaryJson({ findings, startedAt, endedAt, ...report }: CanaryReport): JsonObject {
  const { model, baseline, candidate, status, canary, shadow, alpha, tolerance, why } = report;
  const { apiKeys, waiting } = findings;
  return {
    model,
    baseline,
    candidate,
    status,
    why,
    canary,
    shadow,
    alpha,
    tolerance,
    key_share: report.keyShare,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    keys: { baseline: findings.baseline.keys, candidate: findings.candidate.keys },
    api_keys: apiKeys,
    keys_beyond_share: waiting,
    is_decidable: findings.isDecidable,
    mean_score: {
      baseline: findings.baseline.meanScore,
      candidate: findings.candidate.meanScore,
    },
    comparisons: findings.comparisons,
    evidence: { worse: findings.worse, better: findings.better, decides: 1 / alpha },
    is_shown_worse: findings.isShownWorse,
    is_shown_better: findings.isShownBetter,
  };
}
