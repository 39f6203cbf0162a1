import type { Redis } from "ioredis";
import type { Shape } from "../../../../src/internal/index.ts";
import {
  amount,
  count,
  flag,
  listOf,
  objectOf,
  oneOf,
  text,
} from "../../../../src/internal/index.ts";
import { sharedKeys } from "../redis/run-keys.ts";
import { reportedOf } from "./reported-of.ts";

/** What a worker tells of itself. */
export interface WorkerPresence {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly study: string;
  readonly version: string;
  /** The runs that it serves. */
  readonly runs: readonly string[];
  /** Why it does not serve others of its study. */
  readonly refusals: readonly string[];
  /** Jobs that it does at once, at most, for each run. */
  readonly slots: number;
  readonly running: number;
  readonly isDraining: boolean;
  /** Since it began. */
  readonly counts: WorkerCounts;
  /** Jobs that ended per second, over the last seconds. */
  readonly jobsPerSecond: number;
  /** Milliseconds since 1970-01-01 UTC, by the worker's clock. */
  readonly startedAtMs: number;
}

export interface WorkerCounts {
  /** Jobs that ended with a result. */
  readonly done: number;
  /** Those among them whose program, metric or server had a fault. */
  readonly faulted: number;
  /** Jobs that were cancelled here. */
  readonly cancelled: number;
  /** Jobs that were taken from it, because it was silent for too long. */
  readonly lost: number;
  /** Calls of LMs and tools, with those that were answered from Redis. */
  readonly calls: number;
}

const livesSeconds = 10;

export async function tellPresence(redis: Redis, presence: WorkerPresence): Promise<void> {
  const pipeline = redis.pipeline();
  pipeline.set(sharedKeys.workerOf(presence.id), JSON.stringify(presence), "EX", livesSeconds);
  pipeline.sadd(sharedKeys.workers, presence.id);
  pipeline.expire(sharedKeys.workers, 6 * livesSeconds);
  await pipeline.exec();
}

export async function leave(redis: Redis, id: string): Promise<void> {
  await redis.del(sharedKeys.workerOf(id));
  await forgetDeadWorkers(redis);
}

/** A killed worker could not say that it leaves. */
export async function forgetDeadWorkers(redis: Redis): Promise<void> {
  for (const id of await redis.smembers(sharedKeys.workers)) {
    if ((await redis.exists(sharedKeys.workerOf(id))) === 0) {
      await redis.srem(sharedKeys.workers, id);
    }
  }
}

/** The workers that live, by id. */
export async function livingWorkers(redis: Redis): Promise<readonly WorkerPresence[]> {
  const ids = (await redis.smembers(sharedKeys.workers)).toSorted();
  return reportedOf<WorkerPresence>(redis, ids, sharedKeys.workerOf, presenceOf);
}

const presenceOf = (id: string): Shape =>
  objectOf({
    id: oneOf(id),
    host: text,
    pid: count,
    study: text,
    version: text,
    runs: listOf(text),
    refusals: listOf(text),
    slots: count,
    running: count,
    isDraining: flag,
    counts: objectOf({ done: count, faulted: count, cancelled: count, lost: count, calls: count }),
    jobsPerSecond: amount,
    startedAtMs: amount,
  } satisfies Record<keyof WorkerPresence, Shape>);
