/** What a search has had made ahead of the iterations that need it, and has used, so far. */
export interface MadeAhead {
  readonly texts: { readonly made: number; readonly used: number };
  readonly rollouts: { readonly made: number; readonly used: number };
}

/** More was made ahead, or more of it used. What is never used is lost. */
export interface MadeAheadEvent extends MadeAhead {
  readonly kind: "made-ahead";
  readonly iteration: number;
}
