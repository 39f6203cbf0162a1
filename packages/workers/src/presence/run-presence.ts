import { setTimeout as delay } from "node:timers/promises";
import type { Redis } from "ioredis";
import { EspalierError } from "../../../../src/errors/index.ts";
import type { Shape } from "../../../../src/internal/index.ts";
import { count, objectOf, oneOf, text } from "../../../../src/internal/index.ts";
import { knownRuns, runKeys } from "../redis/run-keys.ts";
import { reportedOf } from "./reported-of.ts";

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
  /** Jobs that no run waited for any more: taken out of the queue, or aborted where they ran. */
  readonly cancelled: number;
  /** Results that came late or twice, and were not used. */
  readonly dropped: number;
  /** Jobs that were queued again, because Redis had lost them. */
  readonly lost: number;
}

const livesSeconds = 5;
const pollMs = 50;

/**
 * Takes a run for this process. Waits for the sign of life of a killed one to end; a process that
 * lives gives it again.
 *
 * @throws EspalierError `run-locked`
 */
export async function claimRun(
  redis: Redis,
  { run, study }: Pick<RunPresence, "run" | "study">,
): Promise<void> {
  const counts = { jobs: 0, cancelled: 0, dropped: 0, lost: 0 };
  const presence = JSON.stringify({ run, study, inFlight: 0, counts } satisfies RunPresence);
  const { alive } = runKeys(run);
  for (let waitedMs = 0; waitedMs <= 1_500 * livesSeconds; waitedMs += pollMs) {
    if ((await redis.set(alive, presence, "EX", livesSeconds, "NX")) !== null) return;
    await delay(pollMs);
  }
  throw new EspalierError({
    code: "run-locked",
    problem: "Another process is already distributing this run to workers",
    where: alive,
    expected: "one process at a time",
    fix: "Wait for it or stop it. If this folder is a copy of another run's, remove its `queue.json`.",
  });
}

export async function tellRun(redis: Redis, presence: RunPresence): Promise<void> {
  await redis.set(runKeys(presence.run).alive, JSON.stringify(presence), "EX", livesSeconds);
}

/** The runs whose processes live, by id. */
export async function livingRuns(redis: Redis): Promise<readonly RunPresence[]> {
  const ids = await knownRuns(redis);
  return reportedOf<RunPresence>(redis, ids, (run) => runKeys(run).alive, presenceOf);
}

const counts = objectOf({ jobs: count, cancelled: count, dropped: count, lost: count });
const presenceOf = (run: string): Shape =>
  objectOf({ run: oneOf(run), study: text, inFlight: count, counts });
