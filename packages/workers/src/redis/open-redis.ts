import { Redis } from "ioredis";
import { noteAbsences } from "./absence-notes.ts";
import type { RedisAddress } from "./redis-address.ts";
import { checkedUrl } from "./redis-address.ts";
import { redisFault } from "./redis-fault.ts";

/**
 * Connects. Once connected, it connects again after each interruption, and commands wait for it.
 *
 * @param onNote is told, in sentences, that they wait for long
 * @throws EspalierError `option-invalid`, `queue-failed`
 */
export async function openRedis(
  address: RedisAddress,
  onNote?: (note: string) => void,
): Promise<Redis> {
  let isConnected = false;
  const redis = new Redis(checkedUrl(address), {
    lazyConnect: true,
    connectTimeout: 10_000,
    // BullMQ requires that commands wait for as long as it takes.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isConnected ? Math.min(100 * times, 2_000) : null),
  });
  const faulty = Promise.withResolvers<never>();
  let fault: unknown;
  // Without a listener, each attempt to connect again would be printed.
  redis.on("error", (error) => {
    fault = error;
    faulty.reject(error);
  });
  // A refused password leaves commands waiting for another.
  faulty.promise.catch(() => {});
  try {
    await Promise.race([redis.connect(), faulty.promise]);
    await Promise.race([redis.ping(), faulty.promise]);
    isConnected = true;
    if (onNote !== undefined) endNotes.set(redis, noteAbsences(redis, address, onNote));
    return redis;
  } catch (error) {
    redis.disconnect();
    throw redisFault(fault ?? error, address);
  }
}

/** Ends the notes about connections. */
const endNotes = new WeakMap<Redis, () => void>();

/** Closes a connection at once, whether it is open or away. */
export function closeRedis(redis: Redis): void {
  endNotes.get(redis)?.();
  redis.disconnect();
}
