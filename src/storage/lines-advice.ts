/** What messages about a damaged or unwritable file of lines tell the reader to do. */
export interface LinesAdvice {
  /** If the file cannot be restored, as an imperative. */
  readonly startOver: string;
  /** Once the location is writable, as an imperative. */
  readonly next: string;
}

export const defaultAdvice: LinesAdvice = { startOver: "start a new file", next: "try again" };
