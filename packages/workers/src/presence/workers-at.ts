import type { RedisAddress } from "../redis/redis-address.ts";
import { orRedisFault } from "../redis/redis-fault.ts";
import { openRedis } from "../redis/open-redis.ts";
import type { RunPresence } from "./run-presence.ts";
import { livingRuns } from "./run-presence.ts";
import type { WorkerPresence } from "./worker-presence.ts";
import { livingWorkers } from "./worker-presence.ts";

/** Tells which workers there are, and for which runs they could work. */
export interface WorkersAt extends Disposable {
  now(): Promise<Presences>;
}

export interface Presences {
  readonly workers: readonly WorkerPresence[];
  readonly runs: readonly RunPresence[];
}

/** @throws EspalierError `queue-failed`, `option-invalid` */
export async function workersAt(address: RedisAddress): Promise<WorkersAt> {
  const redis = await openRedis(address);
  return {
    now: () =>
      orRedisFault(address, async () => ({
        workers: await livingWorkers(redis),
        runs: await livingRuns(redis),
      })),
    [Symbol.dispose]: () => redis.disconnect(),
  };
}
