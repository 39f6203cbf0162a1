import type {
  Attempt,
  Example,
  Failure,
  Metric,
  RunOptions,
  Runnable,
  Score,
} from "../contract/index.ts";
import type { Clock } from "../internal/index.ts";
import { failureOf } from "../errors/index.ts";
import { checkScore } from "./check-score.ts";
import type { RunRecord } from "./evaluation.ts";
import { standingFailure } from "./standing-failure.ts";

/** A program's answer and how long it took; kept so that a fault of the metric costs no new run. */
export interface TimedAttempt<TOutput> {
  readonly attempt: Attempt<TOutput>;
  readonly latencyMs: number;
}

/** How one try at an example ended. */
export type RunOutcome<TOutput> =
  | { readonly state: "finished"; readonly run: RunRecord<TOutput> }
  | {
      /** Worth another try; `run` is what stands if there is none. */
      readonly state: "faulted";
      readonly failure: Failure;
      readonly run: RunRecord<TOutput>;
      /** Present when only the metric was at fault. */
      readonly answered?: TimedAttempt<TOutput>;
    }
  | { readonly state: "stopped"; readonly failure: Failure; readonly error: unknown };

export interface RunExampleOptions<TInput, TOutput, TLabels> {
  readonly program: Runnable<TInput, TOutput>;
  readonly metric: Metric<TInput, TOutput, TLabels>;
  readonly example: Example<TInput, TLabels>;
  readonly options: RunOptions & { readonly signal: AbortSignal };
  /** Counted from 1. */
  readonly attempts: number;
  readonly answered: TimedAttempt<TOutput> | undefined;
  readonly clock: Clock;
}

/** Runs and judges one example once. Never rejects. */
export async function runExample<TInput, TOutput, TLabels>({
  program,
  metric,
  example,
  options,
  attempts,
  answered,
  clock,
}: RunExampleOptions<TInput, TOutput, TLabels>): Promise<RunOutcome<TOutput>> {
  const timed = answered ?? (await timedAttempt(program, example.input, options, clock));
  const { attempt, latencyMs } = timed;
  const { signal } = options;
  const failure = standingFailure(attempt, signal.aborted);
  const record = (score: Score, held: Failure | null): RunRecord<TOutput> =>
    Object.freeze({
      score,
      ...(attempt.state === "completed" && failure === null ? { output: attempt.output } : {}),
      ...(held === null ? {} : { failure: held }),
      trace: attempt.trace,
      latencyMs,
      attempts,
    });
  const faulted = (fault: Failure): RunOutcome<TOutput> => ({
    state: "faulted",
    failure: fault,
    run: record({ kind: "unscored", failure: fault }, fault),
    ...(failure === null ? { answered: timed } : {}),
  });

  if (failure?.kind === "infrastructure") return faulted(failure);
  if (failure !== null && failure.kind !== "format") {
    return {
      state: "stopped",
      failure,
      error: attempt.state === "failed" ? attempt.error : failure,
    };
  }

  try {
    const score = checkScore(
      attempt.state === "completed"
        ? await metric.doScore({ example, output: attempt.output, trace: attempt.trace, signal })
        : metric.scoreFormatFailure(attempt.failure, example),
    );
    if (score.kind === "unscored") {
      const { failure: fault } = score;
      if (fault.kind === "infrastructure") return faulted(fault);
      if (endsEvaluation(fault)) return { state: "stopped", failure: fault, error: fault };
      return { state: "finished", run: record(score, failure ?? fault) };
    }
    return { state: "finished", run: record(score, failure) };
  } catch (error) {
    const thrown = failureOf(error, "metric-failed");
    if (thrown.kind === "infrastructure") return faulted(thrown);
    if (endsEvaluation(thrown)) return { state: "stopped", failure: thrown, error };
    return { state: "stopped", failure: metricFailure(thrown), error };
  }
}

async function timedAttempt<TInput, TOutput>(
  program: Runnable<TInput, TOutput>,
  input: TInput,
  options: RunOptions,
  clock: Clock,
): Promise<TimedAttempt<TOutput>> {
  const start = clock.now();
  const attempt = await program.attempt(input, options);
  return { attempt, latencyMs: clock.now() - start };
}

function endsEvaluation({ kind }: Failure): boolean {
  return kind === "budget" || kind === "aborted";
}

function metricFailure({ message }: Failure): Failure {
  return { kind: "program", code: "metric-failed", message };
}
