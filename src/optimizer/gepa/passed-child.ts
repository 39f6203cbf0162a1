import type { StepEvaluation } from "../evaluation/index.ts";
import type { Child } from "./make-children.ts";
import type { PassedProposal } from "./strategy/strategy.ts";

/** A child that may be evaluated on val. */
export interface PassedChild extends PassedProposal {
  readonly child: Child;
  /** Of the child on its minibatch; absent when nothing was to be shown there. */
  readonly onTrain?: StepEvaluation;
  readonly gate?: { readonly parentSum: number; readonly childSum: number };
}
