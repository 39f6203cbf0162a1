/**
 * Searches for better components of a program. `optimize()` provides what every search needs: a
 * journal that survives kills, hard budgets, evaluation, events. An `Optimizer` such as `gepa()`
 * provides the search itself, as small strategies over immutable candidate records. This folder
 * knows no dataset, no file except its run folder, and no terminal; the test split never reaches
 * it.
 */
export * from "./files.ts";
export type { RandomSource } from "../contract/index.ts";
export type { Budget, Price, PriceTable } from "./budget/index.ts";
export { allowanceLimits, checkBudget } from "./budget/index.ts";
export type { Measure } from "./candidate/candidate-measures.ts";
export { paretoFront } from "./candidate/candidate-measures.ts";
export type {
  CandidateRecord,
  Costs,
  Rejection,
  RejectionReason,
  Selection,
} from "./candidate/candidate-record.ts";
export type { CandidateChoice } from "./candidate/choose-candidate.ts";
export type {
  EvaluateRequest,
  JudgedRun,
  PredictorStep,
  Rollout,
  RolloutLesson,
  RolloutScore,
  StepEvaluation,
} from "./evaluation/index.ts";
export type { DecisionFitOptions } from "./decision-fit/index.ts";
export { decisionFit } from "./decision-fit/index.ts";
export { estimateTokens } from "./plan/plan-costs.ts";
export * from "./gepa/index.ts";
export type { ListenerFailures } from "./engine/listener.ts";
export type { RecordedReplies, RecordedRepliesOptions } from "./run-folder/index.ts";
export { checkSameRun, recordedReplies, runLock } from "./run-folder/index.ts";
export { spentIn } from "./run-folder/work-log.ts";
export { restartRun } from "./run-folder/open-journal.ts";
export type { RecordedRun, DecidedRun, RunDecisions } from "./run-folder/read-run.ts";
export type { RecordedSpending } from "./run-folder/work-log.ts";
export type { OptimizationResult } from "./engine/optimization-result.ts";
export type { OptimizeOptions } from "./optimize.ts";
export { optimize } from "./optimize.ts";
export type { OptimizeTextsOptions, TextOptimizationResult } from "./optimize-texts.ts";
export { optimizeTexts } from "./optimize-texts.ts";
export type {
  ChosenSearch,
  OptimizerPlan,
  PlannedCosts,
  PlannedRole,
} from "./contract/optimizer-plan.ts";
export type {
  ScoreReuseDispute,
  MetDispute,
  OptimizerEvent,
  OptimizerProgress,
  StopReason,
} from "./contract/optimizer-event.ts";
export type { SearchPhase } from "./contract/event-order.ts";
export { eventOrder } from "./contract/event-order.ts";
export { inTurn } from "./in-turn/index.ts";
export type { BootstrapFewShotOptions, LabelledCandidate } from "./few-shot/index.ts";
export { bootstrapFewShot, labelledCandidates } from "./few-shot/index.ts";
export type {
  DrawnSearchOptions,
  GridSearchOptions,
  ParameterSearchOptions,
} from "./parameter-search/index.ts";
export type { MiproV2Options } from "./mipro-v2/index.ts";
export { miproV2 } from "./mipro-v2/index.ts";
export type { AutoSearchOptions } from "./auto-search/index.ts";
export { autoSearch } from "./auto-search/index.ts";
export { parameterSearch } from "./parameter-search/index.ts";
export { planOptimization } from "./plan/plan-optimization.ts";
export type {
  Asked,
  Optimizer,
  OptimizerOutcome,
  OptimizerRun,
  Spent,
  StepNeed,
  RandomSources,
} from "./contract/optimizer.ts";
export type { RunFolder } from "./run-folder/run-folder.ts";
export type { RunnerOptions } from "./engine/run-description.ts";
export type { OptimizerTask } from "./task/program-space.ts";
export { hashOfGold } from "./engine/run-description.ts";
export type { SearchSpace } from "./task/search-space.ts";
export type { TextScore, TextTask } from "./task/text-task.ts";
