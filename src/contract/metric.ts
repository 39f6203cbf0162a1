import type { Failure } from "../errors/index.ts";
import type { Example } from "./example.ts";
import type { LanguageModel } from "./language-model.ts";
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

/** A predictor's name, or a path that ends in it. */
export type BlamePath<TPredictor extends string> =
  `${"" | `${string}/`}${TPredictor}${"" | `[${string}]`}`;

/** Holds one part of a program responsible for a score. */
export interface Blame<TPath extends string = string> {
  /** Call path (`hop[1]/generateQueries`) or predictor name (`generateQueries`). */
  readonly path: TPath;
  /** This part's own score, in the metric's range. */
  readonly score?: number;
  /** What this part did wrong or right, in words a reflection LM can use. */
  readonly text: string;
}

/** `TPath`: what its blame names, if its author wrote that out. */
export interface Scored<TPath extends string = string> {
  readonly kind: "scored";
  /** Higher is better. */
  readonly value: number;
  readonly feedback?: string;
  readonly blame?: readonly Blame<TPath>[];
  /** Further objectives by name, higher is better. */
  readonly objectives?: Readonly<Record<string, number>>;
  /**
   * What the metric found out besides figures, by name, such as how far an answer declined. Reports
   * group by it; nothing is decided from it.
   */
  readonly verdicts?: Readonly<Record<string, string>>;
}

/** The metric does not apply to this example: excluded from means, does not lower coverage. */
export interface NotApplicable {
  readonly kind: "not-applicable";
  readonly reason: string;
}

/** A fault prevented scoring: excluded from means, lowers coverage. */
export interface Unscored {
  readonly kind: "unscored";
  readonly failure: Failure;
}

/** A metric's verdict on one example. */
export type Score<TPath extends string = string> = Scored<TPath> | NotApplicable | Unscored;

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
