import type { JsonObject } from "./json.ts";

/** A worked case shown in a prompt. It may be partial: absent fields are not shown. */
export interface Demonstration {
  /** Id of the source example; the demonstration is never shown when that example is evaluated. */
  readonly exampleId: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /**
   * Cluster of the source example; the demonstration is not shown to other examples of it either.
   * @default the example's own id
   */
  readonly cluster?: string;
  /** Score of the run that it was taken from. Absent if it was not taken from a run. */
  readonly score?: number;
  /** Number of that run among the runs of its example. @default 0 */
  readonly round?: number;
}

export type ParameterValue = number | string | boolean;

/**
 * One part of a program that can be replaced without a change to code.
 *
 * `path` is the predictor's name (`generateQueries`), the predictor's name and a field
 * (`generateQueries.question`) for a field description, or the parameter's name (`hops`).
 */
export type Component =
  | { readonly kind: "instruction"; readonly path: string; readonly value: string }
  | { readonly kind: "demos"; readonly path: string; readonly value: readonly Demonstration[] }
  | { readonly kind: "fieldDescription"; readonly path: string; readonly value: string }
  | { readonly kind: "parameter"; readonly path: string; readonly value: ParameterValue };

export type ComponentKind = Component["kind"];

/** What an optimizer varies: components that differ from, or repeat, those of the program. */
export type Candidate = readonly Component[];
