import type { PredictorOptions, Retriever } from "espalier";
import { questionRoutes } from "../../signatures/index.ts";

/**
 * What decides how a question is answered: the router, or always the same route, for example
 * `complex` for iterative retrieval on every question.
 */
export const routings = ["router", ...questionRoutes] as const;
export type Routing = (typeof routings)[number];

/** A part that an ablation leaves out (appendix E). */
export type AblatedPart = "relevance" | "ending" | "refiner";

/**
 * What the generator reads if no passage passed the filter, which the paper leaves open: nothing,
 * so that it answers from what it knows, or the first passages found. Both count as one step.
 */
export type EmptyEvidence = "no-passages" | "best-found";

export interface HanragOptions {
  /** The paper uses BM25. */
  readonly retriever: Retriever;
  /**
   * Initial value of the parameter of the same name; or `oracle`, which puts the input `route` in
   * the place of the router. No value of the parameter can: a search would select the label.
   * @default "router"
   */
  readonly routing?: Routing | "oracle";
  /**
   * Parts to leave out: the parameter of each name is then `off`. Without `relevance`, the first
   * passages found are read unfiltered; without `ending`, every complex question takes the maximum
   * number of steps; without `refiner`, every step searches with the question itself.
   * @default none
   */
  readonly without?: readonly AblatedPart[];
  /** Initial value of the parameter of the same name. @default "no-passages" */
  readonly emptyEvidence?: EmptyEvidence;
  /** For every predictor. @default greedy */
  readonly sampling?: PredictorOptions["sampling"];
}
