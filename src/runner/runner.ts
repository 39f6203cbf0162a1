import type {
  Attempt,
  Example,
  Failure,
  LanguageModel,
  LmRole,
  LmUsage,
  Metric,
  Runnable,
  RunOptions,
  Score,
  Trace,
} from "../contract/index.ts";
import type { Clock } from "../internal/index.ts";

/** Runs and judges examples. The choice of runner does not change results. */
export interface Runner {
  /**
   * Runs and judges one example once. Never rejects. Once the signal has fired the outcome is
   * `stopped`.
   */
  run<TInput, TOutput, TLabels>(
    options: RunExampleOptions<TInput, TOutput, TLabels>,
  ): Promise<RunOutcome<TOutput>>;
}

export interface RunExampleOptions<TInput, TOutput, TLabels> {
  readonly program: Runnable<TInput, TOutput>;
  readonly metric: Metric<TInput, TOutput, TLabels>;
  readonly example: Example<TInput, TLabels>;
  readonly options: RunOptions & { readonly signal: AbortSignal };
  /** The LM that the metric receives. */
  readonly judgeLm: LanguageModel;
  /** Counted from 1. */
  readonly attempts: number;
  readonly answered: TimedAttempt<TOutput> | undefined;
  readonly clock: Clock;
  /**
   * The temperature of every call of the program's predictors, which `options` already applies: for
   * a runner that asks LMs elsewhere. @default as the program says
   */
  readonly temperature?: number;
  /**
   * Accounts for calls that were made elsewhere. If present, the runner passes each to the LMs in
   * `options` and to `judgeLm`, as `made`, for them to count. @default they are not counted
   */
  readonly spending?: Spending;
}

/** One run of the program on one example, judged. */
export interface RunRecord<TOutput = unknown> {
  readonly score: Score;
  /** Absent when the run failed. */
  readonly output?: TOutput;
  /** Why the run did not complete, or why the metric could not judge it. */
  readonly failure?: Failure;
  readonly trace: Trace;
  /** Wall time of the last attempt, without the metric. */
  readonly latencyMs: number;
  /** Number of attempts: 1 plus the re-runs after faults. */
  readonly attempts: number;
}

/** A program's answer and its duration; kept so that a fault of the metric needs no new run. */
export interface TimedAttempt<TOutput> {
  readonly attempt: Attempt<TOutput>;
  readonly latencyMs: number;
}

/** The outcome of one attempt at an example. */
export type RunOutcome<TOutput> =
  | {
      readonly state: "finished";
      readonly run: RunRecord<TOutput>;
      /** Usage of each reply that the metric received. */
      readonly judging: readonly LmUsage[];
    }
  | {
      /** May be attempted again; `run` counts if there is no further attempt. */
      readonly state: "faulted";
      readonly failure: Failure;
      readonly run: RunRecord<TOutput>;
      /** Usage of each reply that the metric received. */
      readonly judging: readonly LmUsage[];
      /** Present if only the metric faulted. */
      readonly answered?: TimedAttempt<TOutput>;
    }
  | { readonly state: "stopped"; readonly failure: Failure; readonly error: unknown };

/** What a run may spend; absent: any amount. */
export interface Allowance {
  readonly lmCalls?: number;
  readonly toolCalls?: number;
  /** Prompt and completion tokens together. */
  readonly tokens?: number;
  /** In US dollars. */
  readonly costUsd?: number;
}

/** US dollars per million tokens, by role. */
export type TokenPrices = {
  readonly [Role in LmRole]?: {
    readonly promptUsdPerMillion: number;
    readonly completionUsdPerMillion: number;
  };
};

/** Accounts for runs elsewhere, under caps that they share. */
export interface Spending {
  readonly prices?: TokenPrices;
  /**
   * Waits until there is room for all that a run may spend, and reserves it. Grants less only where
   * nothing else in flight could make room.
   *
   * @throws EspalierError `budget-exhausted` when there is no room at all
   */
  reserve(wanted: Required<Allowance>): Promise<Reservation>;
}

/** Room under caps, until it is released. */
export interface Reservation {
  /** Only what is capped. */
  readonly granted: Allowance;
  /** The error for a run to which all that is left under a cap was not enough. */
  exceeded(cap: keyof Allowance): Error;
  release(): void;
}

/** Accounts for runs elsewhere that no cap limits. */
export const uncapped: Spending = {
  reserve: async () => ({
    granted: {},
    exceeded: (cap) => new RangeError(`Nothing caps ${cap}.`),
    release: () => {},
  }),
};
