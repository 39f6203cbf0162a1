import type { Interval } from "../statistics/index.ts";
import type { RunRecord } from "../runner/index.ts";
import type { Failure, Score } from "../contract/index.ts";

/**
 * One example's result. With several repetitions the score's value and objectives are means, and
 * everything else comes from the lowest run; `runs` then holds all runs in order.
 */
export interface EvaluationRow<TOutput = unknown> extends RunRecord<TOutput> {
  readonly exampleId: string;
  readonly cluster: string;
  /** Present only with several repetitions. */
  readonly runs?: readonly RunRecord<TOutput>[];
}

/** Rows by outcome; `formatFailures` are usually among the scored ones. */
export interface EvaluationCounts {
  readonly scored: number;
  readonly notApplicable: number;
  readonly unscored: number;
  readonly formatFailures: number;
}

/** A program's results on a set of examples. Plain data, frozen. */
export interface Evaluation<TOutput = unknown> {
  readonly program: { readonly name: string; readonly version: string };
  readonly metric: { readonly name: string; readonly version: string };
  /** The objective over the scored rows; `null` when none was scored. */
  readonly value: number | null;
  /** Whether the value is the mean of the rows or the metric's own aggregate. */
  readonly objective: "mean" | "aggregate";
  /** `null` with fewer than two clusters, which show no spread, or with 0 resamples. */
  readonly interval: Interval | null;
  readonly counts: EvaluationCounts;
  /** scored / (scored + unscored), in [0, 1]; 1 when the metric applies to no row. */
  readonly coverage: number;
  readonly coverageFloor: number;
  /** Whether at least one row was scored and coverage reaches the floor. */
  readonly isAcceptable: boolean;
  /** Mean of each further objective over the scored rows that report it. */
  readonly objectives: Readonly<Record<string, number>>;
  /** One per example, in the given order. */
  readonly rows: readonly EvaluationRow<TOutput>[];
  readonly seed: number;
  readonly repetitions: number;
  /** Wall time of all runs. */
  readonly seconds: number;
}

/** Progress of an evaluation, in order; `example-end` events come in order of completion. */
export type EvaluationEvent =
  | {
      readonly kind: "evaluation-start";
      /** Number of examples. */
      readonly total: number;
      readonly program: string;
      readonly metric: string;
    }
  | {
      /** A fault; the example is run again at the end of the queue. */
      readonly kind: "example-retry";
      readonly exampleId: string;
      readonly failure: Failure;
    }
  | {
      readonly kind: "example-end";
      readonly done: number;
      readonly total: number;
      readonly exampleId: string;
      readonly score: Score["kind"];
      readonly row: EvaluationRow;
      /** Estimated time left; `null` until there is data for an estimate. */
      readonly etaMs: number | null;
    }
  | {
      readonly kind: "evaluation-end";
      readonly state: "completed" | "stopped";
      readonly done: number;
      readonly total: number;
      readonly seconds: number;
    };
