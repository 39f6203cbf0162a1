import { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { EspalierError } from "../../../../src/errors/index.ts";
import { at, orAborted } from "../../../../src/internal/index.ts";
import type { QueueRunnerOptions } from "./queue-runner-options.ts";
import type { QueuedResult, QueuedRun } from "../job/queued-run.ts";
import { queuedResultShape } from "../job/queued-shapes.ts";
import { redisFault } from "../redis/redis-fault.ts";
import { keepRun, prefix, runKeys, sharedKeys } from "../redis/run-keys.ts";
import type { QueueCounts } from "../presence/run-presence.ts";
import { tellRun } from "../presence/run-presence.ts";
import { workersGone } from "../presence/workers-gone.ts";

/** The jobs of one run, from the side that waits for their results. */
export interface PendingJobs {
  readonly counts: QueueCounts;
  /**
   * The result of a job, which is queued unless it is already. Rejects with the signal's reason; if
   * no run waits for it any more, the job is taken out of the queue, or aborted where it runs.
   */
  result(id: string, data: QueuedRun, signal: AbortSignal): Promise<QueuedResult>;
  keep(): Promise<void>;
  /** Waits until no worker serves the run any more. */
  end(): Promise<void>;
}

interface Pending {
  readonly data: QueuedRun;
  readonly result: PromiseWithResolvers<QueuedResult>;
  waiting: number;
  /** Looks in a row that did not find it in Redis. */
  missed: number;
}

const lookMs = 1_000;
const keepEveryLooks = 15;
const idleLooks = 5;

export async function pendingJobs(
  redis: Redis,
  { redis: address, run, study, checkout, replies = () => [], onIdle }: QueueRunnerOptions,
): Promise<PendingJobs> {
  const keys = runKeys(run);
  const pending = new Map<string, Pending>();
  const cancelled = new Set<string>();
  const counts = { jobs: 0, cancelled: 0, dropped: 0, lost: 0 };
  const queue = new Queue<QueuedRun, QueuedResult>(run, {
    connection: redis,
    prefix,
    streams: { events: { maxLen: 1_000 } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  // This one says by its end that the next check is due.
  const { "stalled-check": _check, ...kept } = queue.keys;
  const queueKeys = Object.values(kept);
  const listening = redis.duplicate();
  const events = new QueueEvents(run, { connection: listening, prefix });
  // Both connect again by themselves; what they missed is found by looking.
  queue.on("error", () => {});
  events.on("error", (error) => {
    // One that is no JSON ends the reading.
    if (error instanceof SyntaxError) void listen();
  });
  const listen = async (): Promise<void> => {
    try {
      await events.run();
    } catch (error) {
      events.emit("error", error as Error);
    }
  };

  const settle = (id: string, end: (result: Pending["result"]) => void): void => {
    const job = pending.get(id);
    if (job !== undefined) {
      pending.delete(id);
      end(job.result);
    } else if (!cancelled.delete(id)) counts.dropped++;
  };
  events.on("completed", ({ jobId, returnvalue }) => {
    const problem = queuedResultShape(returnvalue);
    settle(jobId, ({ resolve, reject }) => {
      if (problem === null) resolve(returnvalue);
      else reject(foreignResult(keys.jobOf(jobId), at("result", problem)));
    });
  });
  // A job gives its failure as a result, so that this one was cancelled, by this process or because
  // its worker had lost it or its run, or the worker's connection is at fault.
  events.on("failed", ({ jobId }) => {
    const job = pending.get(jobId);
    if (job === undefined) cancelled.delete(jobId);
    else add(jobId, job).catch((error: unknown) => job.result.reject(redisFault(error, address)));
  });

  const about = JSON.stringify({ run, study, checkout });
  const tell = (): Promise<void> => tellRun(redis, { run, study, inFlight: pending.size, counts });
  /** Makes the run known, with the replies that it has: at its start, and if Redis lost them. */
  const announce = async (): Promise<void> => {
    if ((await redis.exists(keys.about)) === 0) {
      const pipeline = redis.pipeline();
      for (const [key, reply] of replies())
        pipeline.hsetnx(keys.replies, key, JSON.stringify(reply));
      await pipeline.exec();
    }
    await redis.set(keys.about, about);
    await tell();
    await redis.sadd(sharedKeys.runs, run);
    await keep();
    await redis.publish(sharedKeys.news, run);
  };
  const keep = (): Promise<void> => keepRun(redis, run, { queueKeys, jobs: [...pending.keys()] });
  // Jobs are added once the run is known again: without its replies they would be paid for twice.
  let known = announce();
  redis.on("ready", () => {
    known = announce();
    known.catch(() => {});
  });

  const add = async (id: string, { data }: Pending): Promise<void> => {
    await known;
    await queue.add(study, data, { jobId: id });
  };

  let looks = 0;
  let isLooking = false;
  let hasBegun = false;
  const look = async (): Promise<void> => {
    if (isLooking || redis.status !== "ready") return;
    isLooking = true;
    try {
      looks++;
      await tell();
      if (looks % keepEveryLooks === 0) await keep();
      if (!hasBegun && looks >= idleLooks && pending.size > 0) {
        hasBegun = true;
        if ((await redis.scard(keys.serving)) === 0)
          onIdle?.(Object.values(await redis.hgetall(keys.refused)));
      }
      const looked = [...pending];
      const pipeline = redis.pipeline();
      for (const [id] of looked) pipeline.exists(keys.jobOf(id));
      const found = (await pipeline.exec()) ?? [];
      for (const [index, [id, job]] of looked.entries()) {
        job.missed = found[index]?.[1] === 0 ? job.missed + 1 : 0;
        // One that has just ended is missing, too, until its event comes.
        if (job.missed < 3 || !pending.has(id)) continue;
        job.missed = 0;
        counts.lost++;
        await add(id, job);
      }
    } finally {
      isLooking = false;
    }
  };
  const looking = setInterval(() => void look().catch(() => {}), lookMs);
  await known;
  await events.waitUntilReady();

  const leave = (id: string, job: Pending): void => {
    if (--job.waiting > 0 || pending.get(id) !== job) return;
    pending.delete(id);
    cancelled.add(id);
    counts.cancelled++;
    void (async () => {
      if ((await queue.remove(id)) === 1) cancelled.delete(id);
      else await redis.publish(keys.cancelled, id);
    })().catch(() => {});
  };

  return {
    counts,
    keep,
    result: async (id, data, signal) => {
      signal.throwIfAborted();
      let job = pending.get(id);
      if (job === undefined) {
        job = { data, result: Promise.withResolvers(), waiting: 0, missed: 0 };
        pending.set(id, job);
        cancelled.delete(id);
        counts.jobs++;
        const { reject } = job.result;
        add(id, job).catch((error: unknown) => reject(redisFault(error, address)));
      }
      job.waiting++;
      try {
        return await orAborted(job.result.promise, signal);
      } catch (error) {
        if (signal.aborted) leave(id, job);
        throw error;
      }
    },
    end: async () => {
      clearInterval(looking);
      await redis.del(keys.about, keys.alive);
      await redis.publish(sharedKeys.news, run);
      await workersGone(redis, run);
      await events.close();
      listening.disconnect();
      await queue.close();
    },
  };
}

/** It is no score, and asking again would bring the same. */
function foreignResult(where: string, got: string): EspalierError {
  return new EspalierError({
    code: "queue-failed",
    problem: "A job on Redis ended with something other than a worker's result",
    where,
    got,
    fix: "Find out what else writes to this Redis; the run can be resumed.",
  });
}
