import type { Findings } from "./evidence.ts";
import { foldedEvidence } from "./folded-evidence.ts";
import type { KeptRollout } from "./kept-rollout.ts";
import type { ServeState } from "./open-serve-state.ts";

/** How a rollout stands. */
export interface RolloutReport extends Omit<KeptRollout, "id"> {
  readonly findings: Findings;
}

/** Asked for again, reads only what is new. */
export function rolloutReports(state: ServeState): () => readonly RolloutReport[] {
  const findingsOf = foldedEvidence(state);
  return () =>
    state.rollouts().map((rollout) => {
      const { id: _, ...known } = rollout;
      return { ...known, findings: findingsOf(rollout) };
    });
}

/** The figures in one sentence, for histories and logs. */
export function rolloutSentence(
  { baseline, alpha, tolerance }: Pick<KeptRollout, "baseline" | "alpha" | "tolerance">,
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
