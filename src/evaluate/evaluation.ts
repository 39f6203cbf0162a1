import type { Interval } from "../statistics/index.ts";
import type { Failure, Score, Trace } from "../contract/index.ts";

/** One run of the program on one example, judged. */
export interface RunRecord<TOutput = unknown> {
  readonly score: Score;
  /** Absent when the run failed. */
  readonly output?: TOutput;
  /** What kept the run from completing, or the metric from judging it. */
  readonly failure?: Failure;
  readonly trace: Trace;
  /** Wall time of the last attempt, without the metric. */
  readonly latencyMs: number;
  /** Number of times it was tried: 1 plus the re-runs after faults. */
  readonly attempts: number;
}

/**
 * One example's result. With several repetitions the score's value and objectives are means, and
 * all else is that of the lowest run; `runs` then holds each of them in order.
 */
export interface EvaluationRow<TOutput = unknown> extends RunRecord<TOutput> {
  readonly exampleId: string;
  readonly cluster: string;
  /** Present with several repetitions only. */
  readonly runs?: readonly RunRecord<TOutput>[];
}

/** Rows by how they ended; `formatFailures` are among the scored ones as a rule. */
export interface EvaluationCounts {
  readonly scored: number;
  readonly notApplicable: number;
  readonly unscored: number;
  readonly formatFailures: number;
}

/** How good a program is on some examples. Plain data, frozen. */
export interface Evaluation<TOutput = unknown> {
  readonly program: { readonly name: string; readonly version: string };
  readonly metric: { readonly name: string; readonly version: string };
  /** The objective over the scored rows; `null` when none was scored. */
  readonly value: number | null;
  /** Whether the value is the mean of the rows or the metric's own aggregate. */
  readonly objective: "mean" | "aggregate";
  /** `null` with fewer than two clusters, which say nothing of the spread, or 0 resamples. */
  readonly interval: Interval | null;
  readonly counts: EvaluationCounts;
  /** scored / (scored + unscored), in [0, 1]; 1 when the metric applies to no row. */
  readonly coverage: number;
  readonly coverageFloor: number;
  /** Whether something was scored and coverage reaches the floor. */
  readonly isAcceptable: boolean;
  /** Mean of each further objective over the scored rows that report it. */
  readonly objectives: Readonly<Record<string, number>>;
  /** One per example, in the order given. */
  readonly rows: readonly EvaluationRow<TOutput>[];
  readonly seed: number;
  readonly repetitions: number;
  /** Wall time of all runs. */
  readonly seconds: number;
}
