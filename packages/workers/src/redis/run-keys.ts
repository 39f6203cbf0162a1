import type { Redis } from "ioredis";

/** Every key that this package keeps in Redis begins so. */
export const prefix = "espalier";

/** How long what a killed process left is kept for its return. */
export const keptSeconds = 3_600;

/** Whether a text can be the id of a run: none reaches keys of other runs or of workers. */
function isRunId(text: string): boolean {
  return /^(?!worker$)[\w-]{1,64}$/.test(text);
}

/** The ids of the runs that are known, without what no run of this package is called. */
export async function knownRuns(redis: Redis): Promise<readonly string[]> {
  return (await redis.smembers(sharedKeys.runs)).filter(isRunId).toSorted();
}

/** Keys that runs share. */
export const sharedKeys: {
  readonly runs: string;
  readonly workers: string;
  readonly news: string;
  readonly workerOf: (id: string) => string;
} = {
  /** A set of the ids of runs. */
  runs: `${prefix}:runs`,
  /** A set of the ids of workers. */
  workers: `${prefix}:workers`,
  /** A channel on which runs say that they begin or end. */
  news: `${prefix}:news`,
  workerOf: (id) => `${prefix}:worker:${id}`,
};

/** Keys of one run, beside those of its queue, which begin alike. */
export interface RunKeys {
  /** What the run is, as JSON. */
  readonly about: string;
  /** What the process that runs it tells, while it lives. */
  readonly alive: string;
  /** Replies of LMs, by call key. */
  readonly replies: string;
  /** How often each job in flight has begun. */
  readonly begun: string;
  /** A set of the workers that serve the run. */
  readonly serving: string;
  /** A hash of the workers that refused the run, and why. */
  readonly refused: string;
  /** A channel for the ids of jobs that no run waits for any more. */
  readonly cancelled: string;
  leaseOf(call: string): string;
  jobOf(job: string): string;
}

export function runKeys(run: string): RunKeys {
  const own = (name: string): string => `${prefix}:${run}:${name}`;
  return {
    about: own("about"),
    alive: own("alive"),
    replies: own("replies"),
    begun: own("begun"),
    serving: own("serving"),
    refused: own("refused"),
    cancelled: own("cancelled"),
    leaseOf: (call) => own(`lease:${call}`),
    jobOf: own,
  };
}

/** Lets what a run keeps live on for a while from now. */
export async function keepRun(
  redis: Redis,
  run: string,
  { queueKeys, jobs }: { readonly queueKeys: readonly string[]; readonly jobs: readonly string[] },
): Promise<void> {
  const keys = runKeys(run);
  const { about, replies, begun, serving, refused } = keys;
  const pipeline = redis.pipeline();
  for (const key of [
    sharedKeys.runs,
    about,
    replies,
    begun,
    serving,
    refused,
    ...queueKeys,
    ...jobs.map((job) => keys.jobOf(job)),
  ]) {
    pipeline.expire(key, keptSeconds);
  }
  await pipeline.exec();
}

/** Removes all that a run left, but for some keys, which end by themselves. */
export async function removeRun(
  redis: Redis,
  run: string,
  kept: readonly string[] = [],
): Promise<void> {
  let cursor = "0";
  do {
    const [next, found] = await redis.scan(cursor, "MATCH", `${prefix}:${run}:*`, "COUNT", 1_000);
    const gone = found.filter((key) => !kept.includes(key));
    if (gone.length > 0) await redis.unlink(...gone);
    cursor = next;
  } while (cursor !== "0");
  if (kept.length === 0) await redis.srem(sharedKeys.runs, run);
}

/** Removes what runs left that ended long ago without removing it themselves. */
export async function sweepRuns(redis: Redis): Promise<void> {
  for (const run of await knownRuns(redis)) {
    const { about, replies } = runKeys(run);
    if ((await redis.exists(about, replies)) === 0) await removeRun(redis, run);
  }
}
