/**
 * Scores of one candidate on examples of one split. A place is a position in the comparison's
 * `examples`.
 */
export interface ScoreColumn {
  /** Places of the examples that it has, ascending; each once. */
  readonly places: readonly number[] | PlaceRange;
  /**
   * In the order of `places`, higher is better; `null` where it was run and has no score, since the
   * metric does not apply or a fault remained.
   */
  readonly values: readonly (number | null)[];
}

/** `count` places from `from` on: those of a whole split. */
export interface PlaceRange {
  readonly from: number;
  readonly count: number;
}
