import type { Findings } from "../comparison/sequential-comparison.ts";
import { incrementalComparison } from "./incremental-comparison.ts";
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
