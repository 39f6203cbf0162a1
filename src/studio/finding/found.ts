/** What lies below a studio's folder, by what it is. */
export interface Found {
  readonly runs: readonly FoundItem[];
  readonly results: readonly FoundItem[];
  readonly artifacts: readonly FoundItem[];
  /** Files in which servers keep the state of trials. */
  readonly states: readonly FoundItem[];
  readonly feedback: readonly FoundItem[];
  /** In words, what the limits left out; `null` if nothing. */
  readonly leftOut: string | null;
}

export interface FoundItem {
  /** Path below the folder, with `/`. */
  readonly id: string;
  readonly path: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly changedMs: number;
}
