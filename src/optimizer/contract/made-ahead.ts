/** What a search has had made ahead so far, and how much of that it has used. */
export interface MadeAhead {
  readonly texts: { readonly made: number; readonly used: number };
  readonly rollouts: { readonly made: number; readonly used: number };
}
