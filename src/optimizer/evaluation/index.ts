/**
 * Runs and judges candidates, rollout by rollout. This folder knows programs, metrics and plain
 * texts; it does not know which candidate is good or what comes next.
 */
export type { Evaluator, EvaluatorRequest } from "./evaluator.ts";
export { programEvaluator } from "./program-evaluator.ts";
export { usageOfRollouts } from "./rollout.ts";
export type { PredictorStep, Rollout, RolloutLesson, RolloutScore } from "./rollout.ts";
export type { EvaluateRequest, StepEvaluation } from "./step-evaluation.ts";
export { seedSelection, selectionOf } from "./selection-of.ts";
export { textEvaluator } from "./text-evaluator.ts";
export { repeatedEvaluator } from "./repeated-evaluator.ts";
export { summarizeRollouts } from "./summarize-rollouts.ts";
