/** What a budget allows, before anything is spent. Counts are exact; estimates say so. */
export interface OptimizerPlan {
  /** Metric calls of the seed's evaluation. */
  readonly seedEvaluation: number;
  /** Metric calls of one proposal: refused after the minibatch, or accepted and evaluated on val. */
  readonly perProposal: { readonly refused: number; readonly accepted: number };
  /** Proposals that can be tried: if each is accepted, and if none is; `null` without such a cap. */
  readonly proposals: { readonly least: number; readonly most: number } | null;
  /** Calls of each LM; the student's is an estimate of one call for each predictor and rollout. */
  readonly calls: { readonly student: number; readonly reflection: number } | null;
  /** Sentences for a person. */
  readonly warnings: readonly string[];
}
