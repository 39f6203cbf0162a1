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
  /** What an agent did between inputs and outputs; absent: nothing is shown of it. */
  readonly steps?: readonly DemonstratedStep[];
}

/**
 * Whether a prompt for an example may show a demonstration: an example must not be judged by a
 * prompt that shows its own answer, or a near relation's.
 */
export function mayShow(
  { exampleId: source, cluster: of = source }: Pick<Demonstration, "exampleId" | "cluster">,
  {
    exampleId,
    cluster = exampleId,
  }: { readonly exampleId: string; readonly cluster?: string | undefined },
): boolean {
  return source !== exampleId && of !== cluster;
}

/** A step of an agent: the tools that it called at once, and their results. */
export interface DemonstratedStep {
  /** What the model wrote beside the calls. @default nothing */
  readonly thought?: string;
  /** At least one. */
  readonly calls: readonly {
    readonly tool: string;
    readonly input: JsonObject;
    readonly result: string;
  }[];
}

/**
 * Shows, in each prompt, the demonstrations of a pool that are nearest to the inputs at hand: the
 * nearest last, right before the question. Of equally near ones the earlier in the pool is nearer.
 * Those of the example that is judged, and of its cluster, are left out before the choice.
 */
export interface NearestDemonstrations {
  /** Most demonstrations in a prompt; at least 1. */
  readonly k: number;
  /**
   * How near is measured: by the words that inputs share (cosine of tf-idf), which needs no model,
   * or by the cosine of an embedder's vectors.
   */
  readonly by: "words" | DemonstrationVectors;
}

/** The vectors of a pool of demonstrations. */
export interface DemonstrationVectors {
  /** The embedder that made them, and that must embed the inputs of each call. */
  readonly embedder: { readonly provider: string; readonly model: string };
  /** Length of a vector. */
  readonly dimension: number;
  /** SHA-256 over the texts that were embedded, as hexadecimal: ties the vectors to their pool. */
  readonly textsHash: string;
  /** One for each demonstration, in their order: little-endian 32-bit floats as base64. */
  readonly vectors: readonly string[];
}

export type ParameterValue = number | string | boolean;

/**
 * One part of a program that can be replaced without a change to code.
 *
 * `path` is the predictor's name (`generateQueries`), the predictor's name and a field
 * (`generateQueries.question`) for a field description, an agent's name and a tool
 * (`research.search`), or an argument of it (`research.search.query`), for a tool description, or
 * the parameter's name (`hops`).
 */
export type Component =
  | { readonly kind: "instruction"; readonly path: string; readonly value: string }
  | {
      readonly kind: "demos";
      readonly path: string;
      readonly value: readonly Demonstration[];
      /** Chooses among `value` at each call. @default all are shown, in their order */
      readonly nearest?: NearestDemonstrations;
    }
  | { readonly kind: "fieldDescription"; readonly path: string; readonly value: string }
  | { readonly kind: "toolDescription"; readonly path: string; readonly value: string }
  | { readonly kind: "parameter"; readonly path: string; readonly value: ParameterValue };

export type ComponentKind = Component["kind"];

/** What an optimizer varies: components that differ from, or repeat, those of the program. */
export type Candidate = readonly Component[];
