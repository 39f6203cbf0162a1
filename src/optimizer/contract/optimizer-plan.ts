/**
 * What a budget allows, before anything is spent: a forecast, where counts are bounds unless they
 * say otherwise. Under a cap on LM calls, tokens or money all of them are estimates; see
 * `afforded`.
 */
export interface OptimizerPlan {
  /** Metric calls of the seed's evaluation. */
  readonly seedEvaluation: number;
  /**
   * Metric calls of one proposal on which any are spent: the fewest that refuse it, and the most
   * that an acceptance takes.
   */
  readonly perProposal: { readonly refused: number; readonly accepted: number };
  /** `null` where no cap bounds them before the run. */
  readonly proposals: PlannedProposals | null;
  /**
   * Evaluations on the whole of val at most, the seed's included. Where scores can be inherited,
   * one may take no more than a run: then there can be as many as proposals.
   */
  readonly fullValidations: number | null;
  /**
   * Calls of each LM: the student's an estimate of one call for each predictor and metric call, the
   * reflection LM's of those for the expected proposals.
   */
  readonly calls: { readonly student: number; readonly reflection: number } | null;
  /** Examples that the reflection LM is shown at a time. */
  readonly examplesPerText: number;
  /** Tokens that a text may have at most; absent where that is not known, or none is asked for. */
  readonly longestText?: number;
  /** An estimate; absent where nothing can be rendered, or no cap bounds the calls. */
  readonly costs?: PlannedCosts;
  /** One run of the program, an estimate; absent where nothing can be rendered. */
  readonly perRollout?: PlannedRole & Pick<PlannedCosts, "usd">;
  /**
   * Where a cap on LM calls, tokens or money is the tightest: about how many metric calls it
   * allows. All other figures are then estimates by it. Wall time cannot be forecast without a
   * call.
   */
  readonly afforded?: {
    readonly cap: "lmCalls" | "tokens" | "costUsd";
    readonly limit: number;
    /**
     * What of it stays free: a call begins only where it fits with the longest reply that it
     * allows.
     */
    readonly reserved: number;
    readonly metricCalls: number;
  };
  /** Sentences for a person. */
  readonly warnings: readonly string[];
}

/** Proposals on which runs are spent: those that are refused without one are not counted. */
export interface PlannedProposals {
  /**
   * If each takes the most. Fewer where examples of train have nothing to teach and are run in
   * vain, where scores vary from run to run, and where the search ends by itself.
   */
  readonly least: number;
  /**
   * An estimate where the other two differ: half of them are accepted, and no score is known
   * before. Where each takes the same, all three are one number.
   */
  readonly expected: number;
  /** If each is refused as early as can be: where scores can be inherited, after a single run. */
  readonly most: number;
}

/** Tokens and money, estimated without a call from the prompts of a few examples. */
export interface PlannedCosts {
  readonly student: PlannedRole;
  readonly reflection: PlannedRole;
  /** In US dollars; `null` without prices. */
  readonly usd: { readonly typical: number; readonly most: number } | null;
  /**
   * Predictors whose prompts could not be rendered from an example's inputs alone: the others stand
   * for them.
   */
  readonly notRendered: readonly string[];
}

export interface PlannedRole {
  readonly calls: number;
  readonly promptTokens: number;
  /** With the assumed length of a reply, and with the longest that is allowed. */
  readonly completionTokens: { readonly typical: number; readonly most: number };
}
