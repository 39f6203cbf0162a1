import type { Redis } from "ioredis";
import { EspalierError } from "../../../../src/errors/index.ts";
import { contentHash } from "../../../../src/internal/index.ts";
import type {
  Allowance,
  Reservation,
  RunExampleOptions,
  Runner,
  RunOutcome,
} from "../../../../src/runner/index.ts";
import { abortedBy } from "../../../../src/runner/index.ts";
import type { QueueCounts } from "../presence/run-presence.ts";
import type { PendingJobs } from "./pending-jobs.ts";
import { pendingJobs } from "./pending-jobs.ts";
import type { QueuedResult, QueuedRun } from "../job/queued-run.ts";
import { jobId, outcomeOf, stoppedBy } from "../job/queued-run.ts";
import type { QueueRunnerOptions } from "./queue-runner-options.ts";
import { redisFault } from "../redis/redis-fault.ts";
import { closeRedis, openRedis } from "../redis/open-redis.ts";
import { removeRun, runKeys, sweepRuns } from "../redis/run-keys.ts";
import { claimRun } from "../presence/run-presence.ts";
import { forgetDeadWorkers } from "../presence/worker-presence.ts";
import { settledCalls } from "./settled-calls.ts";

/**
 * Runs examples on workers. Disposing of it removes what the run kept in Redis; replies stay for a
 * while unless the run is over, so that it can be resumed without paying again.
 */
export interface QueueRunner extends Runner, AsyncDisposable {
  readonly counts: QueueCounts;
  /** Says that the run will not be resumed. */
  finish(): void;
  /** Lets what it keeps in Redis live on; done now and then anyway. */
  keep(): Promise<void>;
}

/**
 * Makes each run of an example a job of a queue on Redis, which workers of the same checkout do.
 * Decisions, accounting and files stay in this process.
 *
 * @throws EspalierError `queue-failed`, `option-invalid`, and `run-locked` where
 *   another process runs the same run
 */
export async function queueRunner(options: QueueRunnerOptions): Promise<QueueRunner> {
  const redis = await openRedis(options.redis, options.onNote);
  try {
    await sweepRuns(redis);
    await claimRun(redis, options);
    const jobs = await pendingJobs(redis, options);
    let isOver = false;
    return {
      ...runnerOf(options, jobs),
      keep: () => jobs.keep(),
      finish: () => {
        isOver = true;
      },
      [Symbol.asyncDispose]: () => closed(redis, jobs, { run: options.run, isOver }),
    };
  } catch (error) {
    closeRedis(redis);
    throw redisFault(error, options.redis);
  }
}

/** A Redis that is away keeps what it holds for as long as its keys live. */
async function closed(
  redis: Redis,
  jobs: PendingJobs,
  { run, isOver }: { readonly run: string; readonly isOver: boolean },
): Promise<void> {
  const removed = async (): Promise<void> => {
    await jobs.end();
    await forgetDeadWorkers(redis);
    await removeRun(redis, run, isOver ? [] : [runKeys(run).replies]);
  };
  const away = Promise.withResolvers<void>();
  const waiting = setInterval(() => {
    if (redis.status !== "ready") away.resolve();
  }, 1_000);
  await Promise.race([removed(), away.promise]).finally(() => {
    clearInterval(waiting);
    closeRedis(redis);
  });
}

function runnerOf(
  { run, checkout }: QueueRunnerOptions,
  jobs: PendingJobs,
): Pick<QueueRunner, "run" | "counts"> {
  const study = contentHash(checkout);
  const hashOf = hashes();
  // What one run of an example has needed so far; it grows when it was not enough.
  const wanted: Record<keyof Allowance, number> = { ...firstAllowance };

  const queuedRun = (
    given: RunExampleOptions<unknown, unknown, unknown>,
    reservation: Reservation | undefined,
  ): QueuedRun => {
    const { program, example, options, temperature, attempts, answered, spending } = given;
    const candidate = program.components?.();
    if (candidate === undefined) throw notTunable(program.name);
    const { seed = 0, repetition = 0, role = "student", gold } = options;
    const hasCaps = reservation !== undefined && Object.keys(reservation.granted).length > 0;
    return {
      candidate,
      program: hashOf(program, () => candidate),
      example: hashOf(example, () => example),
      exampleId: example.id,
      seed,
      repetition,
      role,
      ...(gold && { gold }),
      ...(temperature !== undefined && { temperature }),
      attempts,
      ...(answered && { answered }),
      ...(hasCaps && { allowance: reservation.granted }),
      ...(hasCaps && spending?.prices && { prices: spending.prices }),
    };
  };

  const attempt = async (
    given: RunExampleOptions<unknown, unknown, unknown>,
    reservation: Reservation | undefined,
  ): Promise<QueuedResult> => {
    const data = queuedRun(given, reservation);
    const result = await jobs.result(jobId(run, study, data), data, given.options.signal);
    // Where calls are not accounted for, the LMs would ask again.
    if (given.spending !== undefined) await settledCalls(result.calls, given);
    return result;
  };

  const runOnce = async (
    given: RunExampleOptions<unknown, unknown, unknown>,
  ): Promise<RunOutcome<unknown>> => {
    for (;;) {
      const asked = { ...wanted };
      const reservation = await given.spending?.reserve(asked);
      try {
        const { outcome, lacking } = await attempt(given, reservation);
        const granted = lacking && reservation?.granted[lacking];
        if (lacking === undefined || granted === undefined) return outcomeOf(outcome);
        if (granted < asked[lacking]) return stoppedBy(reservation?.exceeded(lacking));
        wanted[lacking] = Math.max(wanted[lacking], 2 * granted);
      } finally {
        reservation?.release();
      }
    }
  };

  return {
    get counts() {
      return jobs.counts;
    },
    run: async <TInput, TOutput, TLabels>(
      given: RunExampleOptions<TInput, TOutput, TLabels>,
    ): Promise<RunOutcome<TOutput>> => {
      const { signal } = given.options;
      try {
        const outcome = await runOnce(given);
        return signal.aborted ? abortedBy(signal) : (outcome as RunOutcome<TOutput>);
      } catch (error) {
        return signal.aborted ? abortedBy(signal) : stoppedBy(error);
      }
    },
  };
}

/** Small, since a run that needs more is given it and pays for nothing twice. */
const firstAllowance = { lmCalls: 8, toolCalls: 8, tokens: 65_536, costUsd: 0.05 } as const;

/** Hashes of objects that never change, each made once. */
function hashes(): (of: object, value: () => unknown) => string {
  const known = new WeakMap<object, string>();
  return (of, value) => {
    const hash = known.get(of) ?? contentHash(value());
    known.set(of, hash);
    return hash;
  };
}

function notTunable(name: string): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: `Workers cannot run \`${name}\``,
    expected: "a program made by `program()`, whose components a worker can apply to its own copy",
  });
}
