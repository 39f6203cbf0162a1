import type { Component, GoldPart } from "../../contract/index.ts";
import type { Parameter } from "../../program/index.ts";

/** What an optimizer may vary, and the examples it may learn from. */
export interface SearchSpace {
  readonly name: string;
  /** Every component, with its initial value. */
  readonly components: readonly Component[];
  /**
   * The allowed values of components of kind `parameter`, by path; absent if only texts are
   * searched.
   */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** Ids of the examples that give feedback. */
  readonly train: readonly string[];
  /** Ids of the examples that select. The same list object as `train` when one split does both. */
  readonly val: readonly string[];
  /**
   * The labels of an example of `train`, by which a proposed text is kept from repeating them; they
   * reach no model. @default unknown
   */
  readonly labelsOf?: (exampleId: string) => unknown;
  /** What labels know of a predictor on an example of `train`. @default nothing */
  readonly goldOf?: (predictor: string, exampleId: string) => GoldPart | null;
  /** What a component is for, as shown to the model that rewrites it; reveals no data. */
  describe(component: Component): string;
}
