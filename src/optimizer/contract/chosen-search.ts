/** The search that an optimizer has chosen among several. */
export interface ChosenSearch {
  readonly name: string;
  readonly version: string;
  /** A clause that follows "because". */
  readonly why: string;
}
