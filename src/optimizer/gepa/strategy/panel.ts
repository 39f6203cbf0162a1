/** The val examples that candidates are compared on, in val's order. */
export interface Panel {
  readonly exampleIds: readonly string[];
  /** How many examples of val each stands for; absent: they are all of val. */
  readonly weights?: ReadonlyMap<string, number>;
}
