/**
 * Program x examples x metric: one row per example, in order, at any concurrency.
 * Examples with infrastructure faults are run again and otherwise stay unscored; the metric decides
 * the score of format failures; errors of the program end the evaluation. Intervals and comparisons
 * resample clusters, since turns of one conversation are not independent. Knows nothing of
 * optimizers, files or terminals; every result is plain frozen data.
 */
export type { CompareOptions, Comparison, Dropped } from "./compare.ts";
export { compare } from "./compare.ts";
export type { Interval, Judged, Verdict, VerdictWords } from "../statistics/index.ts";
export { verdictWords } from "../statistics/index.ts";
export { byCollection } from "./by-collection.ts";
export { byObjective } from "./by-objective.ts";
export type { EvaluateOptions, EvaluateTogetherOptions } from "./evaluate.ts";
export { evaluate, evaluateTogether } from "./evaluate.ts";
export type { Evaluation, EvaluationCounts, EvaluationRow, EvaluationEvent } from "./evaluation.ts";
export { EvaluationStopped } from "./stopped.ts";
export type { FailureGroup, FailureTable, LowRow } from "./failure-table.ts";
export { failureTable, formatFailureTable } from "./failure-table.ts";
export type { Forecast } from "./forecast.ts";
export { forecast } from "./forecast.ts";
export { scoresByExample, summarize } from "./summarize.ts";
export type { Runner, RunRecord, Spending } from "../runner/index.ts";
export { effectiveFailure, uncapped } from "../runner/index.ts";
