import type { PredictorOptions, Retriever } from "espalier";
import type { QuestionRoute } from "../../signatures/index.ts";

/**
 * What decides how a question is answered: the router; `oracle`, the route given with the question;
 * or always the same route, for example `complex` for iterative retrieval on every question.
 */
export type Routing = "router" | "oracle" | QuestionRoute;

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
  /** @default "router" */
  readonly routing?: Routing;
  /**
   * Parts to leave out. Without `relevance`, the first passages found are read unfiltered; without
   * `ending`, every complex question takes the maximum number of steps; without `refiner`, every
   * step searches with the question itself.
   * @default none
   */
  readonly without?: readonly AblatedPart[];
  /** Initial value of the parameter of the same name. @default "no-passages" */
  readonly emptyEvidence?: EmptyEvidence;
  /** For every predictor. @default greedy */
  readonly sampling?: PredictorOptions["sampling"];
}
