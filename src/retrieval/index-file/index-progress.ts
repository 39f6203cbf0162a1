/** Progress of an index build. */
export interface IndexProgress {
  /** `index` stores the words of passages, `embed` their vectors. */
  readonly step: "index" | "embed";
  /** Number of passages. */
  readonly done: number;
  readonly total: number;
}
