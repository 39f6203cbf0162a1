import PQueue from "p-queue";
import type {
  Example,
  LanguageModel,
  LmRole,
  Metric,
  Runnable,
  RunOptions,
} from "../contract/index.ts";
import { EspalierError, isAbsence } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import {
  checkCount,
  checkInputs,
  checkShare,
  joinNames,
  linkedAbort,
  systemClock,
} from "../internal/index.ts";
import type { EvaluationEvent, Evaluation } from "./evaluation.ts";
import { forecast } from "./forecast.ts";
import type { RowCollector } from "./row-collector.ts";
import { rowCollector } from "./row-collector.ts";
import type { Runner, Spending, TimedAttempt } from "../runner/index.ts";
import { inProcess } from "../runner/index.ts";
import type { Stop } from "./stopped.ts";
import { stopped } from "./stopped.ts";
import { summarize } from "./summarize.ts";

/** Unlike in a run, tools with side effects may not run unless `allowsSideEffects`. */
export interface EvaluateOptions<TInput, TOutput, TLabels> extends Tooling {
  readonly program: Runnable<TInput, TOutput>;
  /** At least one; ids are unique. */
  readonly examples: readonly Example<TInput, TLabels>[];
  readonly metric: Metric<TInput, TOutput, TLabels>;
  readonly lm: LanguageModel;
  /** LMs for individual predictors and rerankers, by name. */
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /** The LM that metrics receive as `lm`, in role "judge". @default `lm` */
  readonly judgeLm?: LanguageModel;
  /** @default "student" */
  readonly role?: LmRole;
  /** Maximum number of concurrent runs; does not affect results. @default 16 */
  readonly concurrency?: number;
  /** @default 0 */
  readonly seed?: number;
  /** Runs per example, each with its own LM seed. @default 1 */
  readonly repetitions?: number;
  /** Index of the first of them, where evaluations share them; seeds the LM. @default 0 */
  readonly firstRepetition?: number;
  /** How often an example is run again after a fault, at the end of the queue. @default 2 */
  readonly faultRetries?: number;
  /**
   * Whether a server that is still away after the retries ends the evaluation, instead of leaving
   * rows unscored as other faults do; see `isAbsence`. @default false
   */
  readonly stopsOnAbsence?: boolean;
  /** Minimum share of judged rows that must be scored, in [0, 1]. @default 0.95 */
  readonly coverageFloor?: number;
  /** Bootstrap resamples for the interval; 0 omits the interval. @default 10_000 */
  readonly resamples?: number;
  /** Where examples run; does not affect results. @default this process */
  readonly runner?: Runner;
  /** Accounts for calls that a runner makes elsewhere. @default none: they are not counted */
  readonly spending?: Spending;
  readonly signal?: AbortSignal;
  /** Must not throw: an error ends the evaluation. */
  readonly onEvent?: (event: EvaluationEvent) => void;
  readonly clock?: Clock;
}

type Tooling = Pick<RunOptions, "wrapTool" | "allowsSideEffects">;

/** Programs instead of one, whose rows are run side by side. */
export type EvaluateTogetherOptions<TInput, TOutput, TLabels> = Omit<
  EvaluateOptions<TInput, TOutput, TLabels>,
  "program"
> & { readonly programs: readonly [Runnable<TInput, TOutput>, ...Runnable<TInput, TOutput>[]] };

type Evaluations<TOutput> = readonly [Evaluation<TOutput>, ...Evaluation<TOutput>[]];

interface Task<TInput, TOutput> {
  readonly program: Runnable<TInput, TOutput>;
  readonly collector: RowCollector<TOutput>;
  readonly index: number;
  readonly repetition: number;
  readonly attempts: number;
  readonly answered?: TimedAttempt<TOutput> | undefined;
}

/**
 * Evaluates a program: runs and judges every example, and returns exactly one row for each, in the
 * given order. The same arguments give the same result at any concurrency, except for times. Each
 * run gets its own copy of the input, so a program may change it.
 *
 * Examples with infrastructure faults, including faults that the program caught, are run again at
 * the end of the queue; if faults persist, the row is unscored. All inputs are checked before the
 * first LM call.
 *
 * Rejects with an `EspalierError` for invalid arguments (`input-invalid`, `dataset-invalid`,
 * `option-invalid`), and with an `EvaluationStopped`, which holds the finished rows, if the program
 * or the metric fails or a server is away (runs in flight are aborted), a budget is exhausted (runs
 * in flight may finish), or the signal fires. Nothing still runs after it settles.
 */
export async function evaluate<TInput, TOutput, TLabels>({
  program,
  ...options
}: EvaluateOptions<TInput, TOutput, TLabels>): Promise<Evaluation<TOutput>> {
  const [evaluation] = await evaluateTogether({ ...options, programs: [program] });
  return evaluation;
}

/**
 * Evaluates several programs as `evaluate` does one, row by row: each example begins with all of
 * them before the next one, in an order that alternates, so that a judge or an index that drifts
 * meanwhile favours none. Events count the rows of all.
 */
export async function evaluateTogether<TInput, TOutput, TLabels>({
  programs,
  examples,
  metric,
  lm,
  lms,
  judgeLm = lm,
  wrapTool,
  allowsSideEffects = false,
  role = "student",
  concurrency = 16,
  seed = 0,
  repetitions = 1,
  firstRepetition = 0,
  faultRetries = 2,
  stopsOnAbsence = false,
  coverageFloor = 0.95,
  resamples = 10_000,
  runner = inProcess,
  spending,
  signal: callerSignal,
  onEvent = () => {},
  clock = systemClock,
}: EvaluateTogetherOptions<TInput, TOutput, TLabels>): Promise<Evaluations<TOutput>> {
  checkOptions({
    concurrency,
    repetitions,
    firstRepetition,
    faultRetries,
    coverageFloor,
    resamples,
  });
  for (const program of programs) checkExamples(program, examples);

  const total = examples.length * programs.length;
  const start = clock.now();
  const progress = forecast(total, clock);
  const queue = new PQueue({ concurrency });
  const halting = linkedAbort([callerSignal]);
  const { signal } = halting;
  const sides = programs.map((program) => ({
    program,
    collector: rowCollector<TOutput>(examples, repetitions),
  }));
  const countDone = (): number => sides.reduce((sum, { collector }) => sum + collector.count(), 0);
  let stop: Stop | undefined;

  // Re-runs join the end of the same queue, so that no slot waits for a round to finish.
  const enqueue = (task: Task<TInput, TOutput>, example: Example<TInput, TLabels>): void => {
    void queue.add(() =>
      work(task, example).catch((error: unknown) => {
        stop ??= { exampleId: example.id, error };
        halting.abort();
      }),
    );
  };

  const work = async (
    task: Task<TInput, TOutput>,
    example: Example<TInput, TLabels>,
  ): Promise<void> => {
    if (stop !== undefined || signal.aborted) return;
    const { program, collector, index, repetition, attempts, answered } = task;
    const { id: exampleId, cluster } = example;
    const outcome = await runner.run({
      program,
      metric,
      example,
      options: {
        lm,
        ...(lms && { lms }),
        ...(wrapTool && { wrapTool }),
        allowsSideEffects,
        seed,
        exampleId,
        ...(cluster !== undefined && { cluster }),
        repetition: firstRepetition + repetition,
        role,
        signal,
      },
      judgeLm,
      attempts,
      answered,
      clock,
      ...(spending && { spending }),
    });
    if (outcome.state === "stopped") {
      stop ??= { exampleId, error: outcome.error, failure: outcome.failure };
      if (outcome.failure.kind !== "budget") halting.abort();
    } else if (outcome.state === "faulted" && attempts <= faultRetries) {
      onEvent({ kind: "example-retry", exampleId, failure: outcome.failure });
      enqueue({ ...task, attempts: attempts + 1, answered: outcome.answered }, example);
    } else if (outcome.state === "faulted" && stopsOnAbsence && isAbsence(outcome.failure.code)) {
      stop ??= { exampleId, error: outcome.failure, failure: outcome.failure };
      halting.abort();
    } else {
      const row = collector.add(index, repetition, outcome.run);
      if (row === null) return;
      const done = countDone();
      const about = { exampleId, score: row.score.kind, row, etaMs: progress.etaMs(done) };
      onEvent({ kind: "example-end", done, total, ...about });
    }
  };

  onEvent({ kind: "evaluation-start", total, program: programs[0].name, metric: metric.name });
  for (const [index, example] of examples.entries()) {
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const isTurned = (index + repetition) % 2 === 1;
      for (const side of isTurned ? sides.toReversed() : sides) {
        enqueue({ ...side, index, repetition, attempts: 1 }, example);
      }
    }
  }
  await queue.onIdle();
  halting.release();

  const seconds = (clock.now() - start) / 1000;
  const done = countDone();
  const state = stop === undefined && done === total ? "completed" : "stopped";
  onEvent({ kind: "evaluation-end", state, done, total, seconds });
  if (state === "stopped") {
    const rows = sides.flatMap(({ collector }) => collector.rows());
    throw stopped({ stop, reason: callerSignal?.reason, rows, total });
  }

  return sides.map(({ program, collector }) => {
    const rows = collector.rows();
    return Object.freeze({
      program: Object.freeze({ name: program.name, version: program.version }),
      metric: Object.freeze({ name: metric.name, version: metric.version }),
      ...summarize({ rows, examples, metric, coverageFloor, resamples, seed }),
      rows: Object.freeze(rows),
      seed,
      repetitions,
      seconds,
    });
  }) as unknown as Evaluations<TOutput>;
}

/** Throws `option-invalid` for options outside their range. */
function checkOptions({
  coverageFloor,
  ...whole
}: Readonly<Record<keyof typeof least | "coverageFloor", number>>): void {
  for (const name of Object.keys(least) as (keyof typeof least)[]) {
    checkCount(name, whole[name], least[name]);
  }
  checkShare("coverageFloor", coverageFloor);
}

const least = { concurrency: 1, repetitions: 1, firstRepetition: 0, faultRetries: 0, resamples: 0 };

/**
 * Throws `dataset-invalid` for an empty list or repeated ids, and `input-invalid` for inputs that
 * the program does not accept; names up to five of them.
 */
function checkExamples<TInput, TOutput>(
  program: Runnable<TInput, TOutput>,
  examples: readonly Example<TInput>[],
): void {
  const repeated = [...Map.groupBy(examples, ({ id }) => id)]
    .filter(([, same]) => same.length > 1)
    .map(([id]) => `\`${id}\``);
  if (examples.length === 0 || repeated.length > 0) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: "These examples cannot be evaluated",
      expected: "at least one example, and unique ids",
      got: examples.length === 0 ? "no examples" : `repeated ids: ${joinNames(repeated)}`,
      fix: "Check the split and its filters.",
    });
  }
  checkInputs(program, examples);
}
