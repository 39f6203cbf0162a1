import type { RedisAddress } from "./redis.ts";
import { openRedis, redisPackages } from "./redis.ts";
import type { WorkerPresence } from "./worker-presence.ts";
import { livingWorkers } from "./worker-presence.ts";

/** Tells which workers there are. */
export interface WorkersAt extends Disposable {
  now(): Promise<readonly WorkerPresence[]>;
}

/** @throws EspalierError `part-missing`, `queue-failed`, `option-invalid` */
export async function workersAt(address: RedisAddress): Promise<WorkersAt> {
  const redis = await openRedis(address, await redisPackages());
  return { now: () => livingWorkers(redis), [Symbol.dispose]: () => redis.disconnect() };
}
