/**
 * Runs and judges candidates, rollout by rollout. This folder knows programs, metrics and plain
 * texts; it does not know which candidate is good or what comes next. `program-evaluator.ts` is
 * imported on its own, where a program is optimized: texts need nothing that runs programs.
 */
export type {
  Evaluator,
  EvaluatorRequest,
  JudgedRun,
  EvaluateRequest,
  StepEvaluation,
} from "./evaluator.ts";
export { usageOfRollouts } from "./rollout.ts";
export type {
  PredictorStep,
  Rollout,
  RolloutDecision,
  RolloutLesson,
  RolloutScore,
} from "./rollout.ts";
export {
  faultRetries,
  repeatedEvaluator,
  seedSelection,
  selectionOf,
  summarizeRollouts,
} from "./evaluator.ts";
export { textEvaluator } from "./text-evaluator.ts";
