import { setTimeout as delay } from "node:timers/promises";
import type { Redis } from "ioredis";
import { runKeys, sharedKeys } from "../redis/run-keys.ts";

const pollMs = 50;
/** A worker that does not end its jobs by then is cut off when their keys are gone. */
const longestMs = 30_000;

/** Waits until all workers that live have left a run. */
export async function workersGone(redis: Redis, run: string): Promise<void> {
  const { serving } = runKeys(run);
  for (let waited = 0; waited < longestMs; waited += pollMs) {
    const workers = await redis.smembers(serving);
    const living = await Promise.all(workers.map((id) => redis.exists(sharedKeys.workerOf(id))));
    if (!living.includes(1)) return;
    await delay(pollMs);
  }
}
