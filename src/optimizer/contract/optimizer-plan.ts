/**
 * What a budget allows, estimated before anything is spent; the budget's caps are the bounds. Under
 * a cap on LM calls, tokens or money, see `afforded`.
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
   * About how many candidates the search tries; `null` if no cap bounds them before the run. It
   * assumes that half of them are accepted and that no score is known beforehand: a search that can
   * reuse scores may try several times as many.
   */
  readonly proposals: number | null;
  /**
   * Calls of each LM: the student's are one per predictor and metric call, and so are the teacher's
   * where it has an LM of its own; the reflection LM's are those of the proposals.
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
