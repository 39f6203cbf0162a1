export type CreditBasis = "regression" | "model";

/** What showing one demonstration brings, estimated. */
export interface DemonstrationCredit {
  readonly predictor: string;
  /** Id of its source example. */
  readonly exampleId: string;
  /** Change of the mean score where it is shown, with all else as it is. */
  readonly gain: number;
  /** Ends of the central 95 % of what the runs leave possible. */
  readonly low: number;
  readonly high: number;
  /** Number of scored runs that showed it. */
  readonly runs: number;
  /**
   * How it was estimated: by a regression over all runs, with and without it, whatever else
   * differed between them; or as what a model of all that the search changes says of the candidate
   * with and without it.
   */
  readonly basis: CreditBasis;
}
