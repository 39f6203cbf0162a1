import type { PredictorOptions, Retriever } from "espalier";
import type { QuestionRoute } from "../../signatures/index.ts";

/**
 * What decides how a question is answered: the router; `oracle`, the route given with the question;
 * or always the same route, as `complex` for iterative retrieval whatever the question.
 */
export type Routing = "router" | "oracle" | QuestionRoute;

/** A part that an ablation leaves out (appendix E). */
export type AblatedPart = "relevance" | "ending" | "refiner";

/**
 * What the generator reads when no passage passed the filter, which the paper leaves open: none,
 * and it answers from what it knows, or the first that were found. The step counts as one in either
 * case.
 */
export type EmptyEvidence = "no-passages" | "best-found";

export interface HanragOptions {
  /** The paper's is BM25. */
  readonly retriever: Retriever;
  /** @default "router" */
  readonly routing?: Routing;
  /**
   * Parts left out. Without `relevance` the first passages found are read as they are; without
   * `ending` every complex question takes as many steps as it may; without `refiner` every step
   * searches with the question itself.
   * @default none
   */
  readonly without?: readonly AblatedPart[];
  /** Initial value of the parameter of the same name. @default "no-passages" */
  readonly emptyEvidence?: EmptyEvidence;
  /** Of every predictor. @default greedy */
  readonly sampling?: PredictorOptions["sampling"];
}
