import type { Component } from "../../contract/index.ts";
import type { Parameter } from "../../program/index.ts";

/** What an optimizer may vary, and the examples it may learn from. */
export interface SearchSpace {
  readonly name: string;
  /** Every component, with the value that the search starts from. */
  readonly components: readonly Component[];
  /**
   * What the components of kind `parameter` may be, by path; none where texts alone are searched.
   */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** Ids of the examples that give feedback. */
  readonly train: readonly string[];
  /** Ids of the examples that select. The very same list as `train` when one split does both. */
  readonly val: readonly string[];
  /** What a component is for, as told to whoever rewrites it; nothing of the data. */
  describe(component: Component): string;
}
