/**
 * What a budget allows, forecast before anything is spent. Counts are bounds unless stated
 * otherwise. Under a cap on LM calls, tokens or money, all of them are estimates; see `afforded`.
 */
export interface OptimizerPlan {
  /** Searches that the optimizer chooses, one after the other; absent if it chooses none. */
  readonly searches?: readonly ChosenSearch[];
  /**
   * Examples of train and val that are run by no search, since the objective gives none of their
   * outputs a score; absent if there are none.
   */
  readonly leftOut?: { readonly train: number; readonly val: number };
  /** Metric calls of the seed's evaluation. */
  readonly seedEvaluation: number;
  /**
   * Metric calls of one proposal that spends any: the minimum for a rejection and the maximum for
   * an acceptance.
   */
  readonly perProposal: { readonly refused: number; readonly accepted: number };
  /** `null` if no cap bounds them before the run. */
  readonly proposals: PlannedProposals | null;
  /**
   * Upper bound on evaluations on all of val, or on all of the sample that a search compares on,
   * including the seed's. Where scores can be reused, an evaluation may take a single run, so there
   * can be as many as proposals.
   */
  readonly fullValidations: number | null;
  /**
   * Calls of each LM. The student's is an estimate: one call per predictor and metric call. The
   * reflection LM's are those of the expected proposals. The teacher's, where it has an LM of its
   * own, are as many for each of its runs as the student's.
   */
  readonly calls: {
    readonly student: number;
    readonly reflection: number;
    readonly teacher?: number;
  } | null;
  /** Examples that the reflection LM sees at a time. */
  readonly examplesPerText: number;
  /** Maximum tokens of a text; absent if unknown, or if no text is requested. */
  readonly longestText?: number;
  /** An estimate; absent if nothing can be rendered, or no cap bounds the calls. */
  readonly costs?: PlannedCosts;
  /** Estimated cost of one run of the program; absent if nothing can be rendered. */
  readonly perRollout?: PlannedRole & Pick<PlannedCosts, "usd">;
  /**
   * Present if a cap on LM calls, tokens or money is the tightest: about how many metric calls it
   * allows. All other figures are then estimates based on it. Wall time cannot be forecast without
   * making a call.
   */
  readonly afforded?: {
    readonly cap: "lmCalls" | "tokens" | "costUsd";
    readonly limit: number;
    /**
     * The part that stays unused: a call starts only if it fits with the longest reply it allows.
     */
    readonly reserved: number;
    readonly metricCalls: number;
  };
  /** The cap on calls of the reflection LM, the user's or the default one; absent: none. */
  readonly maxReflections?: number;
  /** Human-readable sentences. */
  readonly warnings: readonly string[];
}

/** Number of proposals that spend runs; proposals rejected without a run are not counted. */
export interface PlannedProposals {
  /**
   * If every proposal costs the maximum. The run may make fewer where training examples with
   * nothing to teach are run, where scores vary from run to run, and where the search ends by
   * itself.
   */
  readonly least: number;
  /**
   * An estimate if the other two differ; it assumes that half of the proposals are accepted and
   * that no score is known beforehand. If every proposal costs the same, all three are equal.
   */
  readonly expected: number;
  /**
   * If every proposal is rejected as early as possible: after a single run where scores can be
   * reused.
   */
  readonly most: number;
}

/** Tokens and money, estimated from the prompts of a few examples without making a call. */
export interface PlannedCosts {
  readonly student: PlannedRole;
  readonly reflection: PlannedRole;
  /** Present if the teacher has an LM of its own. */
  readonly teacher?: PlannedRole;
  /** In US dollars; `null` without prices. */
  readonly usd: { readonly typical: number; readonly most: number } | null;
  /**
   * Predictors whose prompts could not be rendered from an example's inputs alone; the estimate
   * fills in for them from the others.
   */
  readonly notRendered: readonly string[];
}

export interface PlannedRole {
  readonly calls: number;
  readonly promptTokens: number;
  /** With the assumed length of a reply, and with the maximum allowed. */
  readonly completionTokens: { readonly typical: number; readonly most: number };
}

/** The search that an optimizer has chosen among several. */
export interface ChosenSearch {
  readonly name: string;
  readonly version: string;
  /** A clause that follows "because". */
  readonly why: string;
}
