import type { Redis } from "ioredis";
import { jsonOrUndefined } from "../../internal/index.ts";
import { runKeys, sharedKeys } from "../redis/run-keys.ts";

/** What the process that owns a run tells of it. */
export interface RunPresence {
  readonly run: string;
  readonly study: string;
  /** Jobs whose results it waits for. */
  readonly inFlight: number;
  readonly counts: QueueCounts;
}

/** What happened to a run's jobs since its process began. */
export interface QueueCounts {
  readonly jobs: number;
  /** Jobs that nobody waited for any more: taken out of the queue, or aborted where they ran. */
  readonly cancelled: number;
  /** Results that came late or twice, and were not used. */
  readonly dropped: number;
  /** Jobs that were queued again, because Redis had lost them. */
  readonly lost: number;
}

const livesSeconds = 10;

export async function tellRun(redis: Redis, presence: RunPresence): Promise<void> {
  await redis.set(runKeys(presence.run).alive, JSON.stringify(presence), "EX", livesSeconds);
}

/** The runs whose processes live, by id. */
export async function livingRuns(redis: Redis): Promise<readonly RunPresence[]> {
  const ids = (await redis.smembers(sharedKeys.runs)).toSorted();
  if (ids.length === 0) return [];
  const told = await redis.mget(ids.map((run) => runKeys(run).alive));
  return told.flatMap((text) =>
    text === null ? [] : ((jsonOrUndefined(text) as RunPresence | undefined) ?? []),
  );
}
