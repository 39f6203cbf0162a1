/**
 * Searches for better components of a program. `optimize()` brings what every search needs: a journal
 * that survives kills, hard budgets, evaluation, events; an `Optimizer` such as `gepa()` brings the
 * search itself, in small strategies over immutable candidate records. Knows no dataset, no file but its
 * run folder, and no terminal; the test split never reaches it.
 */
export type { RandomSource } from "../contract/index.ts";
export type { Budget, Price, PriceTable } from "./budget/index.ts";
export type { Measure } from "./candidate-measures.ts";
export { candidateMeasures, paretoFront } from "./candidate-measures.ts";
export type {
  CandidateRecord,
  Costs,
  Refusal,
  RefusalReason,
  Selection,
} from "./candidate-record.ts";
export type { CandidateChoice } from "./choose-candidate.ts";
export { chooseCandidate } from "./choose-candidate.ts";
export type {
  EvaluateRequest,
  PredictorStep,
  Rollout,
  RolloutLesson,
  RolloutScore,
  StepEvaluation,
} from "./evaluation/index.ts";
export { estimateTokens } from "./estimate-tokens.ts";
export * from "./gepa/index.ts";
export type { ListenerFailures } from "./guarded-listener.ts";
export type { RecordedReplies } from "./journal/index.ts";
export { recordedReplies, reopenRun } from "./journal/index.ts";
export { billedIn } from "./journal/light.ts";
export type { OptimizationResult } from "./optimization-result.ts";
export type { OptimizeOptions } from "./optimize.ts";
export { optimize } from "./optimize.ts";
export type { OptimizeTextsOptions, TextOptimizationResult } from "./optimize-texts.ts";
export { optimizeTexts } from "./optimize-texts.ts";
export type {
  InheritanceDispute,
  MetDispute,
  OptimizerEvent,
  OptimizerProgress,
  StopReason,
} from "./optimizer-event.ts";
export type {
  OptimizerPlan,
  PlannedCosts,
  PlannedProposals,
  PlannedRole,
} from "./optimizer-plan.ts";
export type {
  GridSearchOptions,
  ParameterSearchOptions,
  RandomSearchOptions,
} from "./parameter-search/index.ts";
export { parameterSearch } from "./parameter-search/index.ts";
export { planOptimization } from "./plan-optimization.ts";
export type {
  Asked,
  Optimizer,
  OptimizerOutcome,
  OptimizerRun,
  OptimizerTask,
  Outside,
  OutsideStop,
  Spent,
  StepNeed,
} from "./optimizer.ts";
export type { RandomSources } from "./random-sources.ts";
export type { RecordedRun } from "./read-run.ts";
export { readRun } from "./read-run.ts";
export type { RunnerOptions } from "./runner-options.ts";
export type { SearchSpace } from "./search-space.ts";
export type { TextScore, TextTask } from "./text-task.ts";
