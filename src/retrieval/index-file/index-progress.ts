export interface IndexProgress {
  /**
   * `index` stores the words of passages, `embed` their vectors, `link` builds a graph of near
   * vectors.
   */
  readonly step: "index" | "embed" | "link";
  /** Number of passages. */
  readonly done: number;
  readonly total: number;
}
