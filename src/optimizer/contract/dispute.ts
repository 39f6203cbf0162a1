/**
 * A reused score and the candidate's own score, `null` where the metric does not apply. Disputes
 * reveal LM noise only where requests differ, since an identical request is answered from the run's
 * recorded replies. In events and journals, score reuse is called inheritance.
 */
export interface InheritanceDispute extends DisputedScores {
  readonly exampleId: string;
  /**
   * Scores of both candidates, run once more, or twice if the first repetition is inconclusive;
   * empty if that did not fit the budget or ended in a fault.
   */
  readonly repeated: readonly DisputedScores[];
}

export interface DisputedScores {
  /** Score of the candidate that was run first. */
  readonly inherited: number | null;
  /** Score of the candidate that reuses it. */
  readonly again: number | null;
}

/** A dispute, when it arose and how it ended. */
export interface MetDispute extends InheritanceDispute {
  readonly kind: "inheritance-kept" | "inheritance-ended";
  readonly iteration: number;
}
