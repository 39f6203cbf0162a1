import { Worker } from "bullmq";
import type { Redis } from "ioredis";
import { jobWorker } from "./job-worker.ts";
import type { QueuedResult, QueuedRun } from "../job/queued-run.ts";
import type { RedisAddress } from "../redis/redis-address.ts";
import { prefix, runKeys } from "../redis/run-keys.ts";
import type { StudyWorkerOptions } from "./study-worker-options.ts";
import type { WorkerCounts } from "../presence/worker-presence.ts";

/** A worker's work for one run. */
export interface RunService {
  running(): number;
  /** Takes no more jobs; ends those that it has, or cancels them. */
  close(how: "cancel" | "drain"): Promise<void>;
}

export interface RunServiceOptions extends Pick<
  StudyWorkerOptions,
  "slots" | "stallMs" | "onNote" | "checkout" | "study" | "limits"
> {
  readonly id: string;
  readonly redis: Redis;
  readonly address: RedisAddress;
  readonly counts: { -readonly [Count in keyof WorkerCounts]: number };
}

export function serveRun(run: string, options: RunServiceOptions): RunService {
  const { id, redis, slots, stallMs, counts, onNote } = options;
  const keys = runKeys(run);
  const work = jobWorker(run, { ...options, keys });
  let running = 0;
  const worker = new Worker<QueuedRun, QueuedResult>(
    run,
    // BullMQ gives a signal to a function of three parameters alone.
    async (job, _token, given) => {
      const signal = given ?? new AbortController().signal;
      running++;
      try {
        const result = await work(job, signal);
        counts.calls += result.calls.length;
        if (signal.aborted) counts.cancelled++;
        else counts.done++;
        if (result.outcome.state === "finished") return result;
        // No outcome of the example: where somebody still waits for it, the job is queued again.
        if (signal.aborted) throw new Error("The job was cancelled.");
        counts.faulted++;
        return result;
      } finally {
        running--;
      }
    },
    {
      connection: redis,
      prefix,
      name: id,
      concurrency: slots,
      lockDuration: stallMs,
      stalledInterval: Math.ceil(stallMs / 2),
      // How often a job may be taken from a worker is counted apart: most are not at fault.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 500,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on("error", () => {});
  worker.on("stalled", (job) => onNote(`Job ${job} was taken from a worker that went silent.`));
  worker.on("lockRenewalFailed", (jobs) => {
    counts.lost += jobs.length;
    for (const job of jobs) worker.cancelJob(job);
  });
  const listening = redis.duplicate();
  listening.on("error", () => {});
  listening.on("message", (_channel, job) => void worker.cancelJob(job));
  void listening.subscribe(keys.cancelled).catch(() => {});
  return {
    running: () => running,
    close: async (how) => {
      if (how === "cancel") worker.cancelAllJobs();
      await worker.close();
      listening.disconnect();
    },
  };
}
