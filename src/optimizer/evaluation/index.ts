/**
 * One step's evaluation, rollout by rollout: what a run's log holds is not done again. Knows programs,
 * metrics and the log; does not know which candidate is good or what comes next.
 */
export { evaluateStep } from "./evaluate-step.ts";
export type { PredictorStep, Rollout, RolloutLesson, RolloutScore } from "./rollout.ts";
export type { EvaluateRequest, StepEvaluation } from "./step-evaluation.ts";
export { summarizeRollouts } from "./summarize-rollouts.ts";
