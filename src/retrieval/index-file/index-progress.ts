/** How far the building of an index has come. */
export interface IndexProgress {
  /** `index`: words of passages; `embed`: vectors. */
  readonly step: "index" | "embed";
  /** Passages. */
  readonly done: number;
  readonly total: number;
}
