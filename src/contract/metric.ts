import type { Failure } from "../errors/index.ts";
import type { Example } from "./example.ts";
import type { LanguageModel } from "./language-model.ts";
import type { Score } from "./score.ts";
import type { Trace } from "./trace.ts";

export interface MetricArguments<TInput, TOutput, TLabels> {
  readonly example: Example<TInput, TLabels>;
  readonly output: TOutput;
  readonly trace: Trace;
  readonly signal?: AbortSignal;
  /**
   * The LM for judges, bound to this example: it sets seed, repetition and role, and its requests
   * count against the run's budget. Give each of several requests its own name as `callPath`, as a
   * predictor does; requests with the same name are numbered in the order they start, which must
   * then not depend on timing. `evaluate()` and `optimize()` set it.
   */
  readonly lm?: LanguageModel;
}

/** A scored example, as passed to `Metric.aggregate`. */
export interface MetricRow<TInput = unknown, TLabels = unknown> {
  readonly value: number;
  /** Further objectives of the score; one that did not apply to this example is absent. */
  readonly objectives?: Readonly<Record<string, number>>;
  readonly example: Example<TInput, TLabels>;
}

/**
 * Judges one output. Implement `doScore`; evaluations call it. One call returns value, feedback and
 * blame together.
 */
export interface Metric<TInput = unknown, TOutput = unknown, TLabels = unknown> {
  readonly name: string;
  readonly version: string;
  readonly module?: string;
  /**
   * Whether some output could be scored on this example, by its input and labels alone. Where none
   * could, optimizers leave the example out. @default true
   */
  appliesTo?(example: Example<TInput, TLabels>): boolean;
  doScore(args: MetricArguments<TInput, TOutput, TLabels>): Score | Promise<Score>;
  /** Score of a run that ended in a format failure. */
  scoreFormatFailure(failure: Failure, example: Example<TInput, TLabels>): Score;
  /**
   * Computes the objective from the scored examples. Absent: the mean of their values. Must accept
   * any non-empty selection, with repeats, since bootstraps resample.
   */
  aggregate?(rows: readonly MetricRow<TInput, TLabels>[]): number;
}
