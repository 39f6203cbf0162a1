/** A way in which a candidate fails, and the examples that do. */
export interface NamedFailureMode {
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  readonly exampleIds: readonly string[];
}
