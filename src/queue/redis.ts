import type { Redis } from "ioredis";
import { EspalierError, messageOf } from "../errors/index.ts";
import { withoutCredentials } from "../internal/index.ts";

/** The packages that reach Redis, which are installed beside this one. */
export type RedisPackages = Pick<typeof import("bullmq"), "Queue" | "QueueEvents" | "Worker"> &
  Pick<typeof import("ioredis"), "Redis">;

/** @throws EspalierError `part-missing` */
export async function redisPackages(): Promise<RedisPackages> {
  try {
    const [{ Queue, QueueEvents, Worker }, { Redis }] = await Promise.all([
      import("bullmq"),
      import("ioredis"),
    ]);
    return { Queue, QueueEvents, Worker, Redis };
  } catch (cause) {
    throw new EspalierError({
      code: "part-missing",
      problem: "Work on Redis needs the packages `bullmq` and `ioredis`",
      fix: "Install them: npm install bullmq ioredis",
      cause,
    });
  }
}

export interface RedisAddress {
  /** `redis://` or, over TLS, `rediss://`. */
  readonly url: string;
  /** Where the URL has none. */
  readonly password?: string | undefined;
}

/**
 * Connects. Once connected, it connects again after each interruption, and commands wait for it.
 *
 * @throws EspalierError `option-invalid`, `queue-failed`
 */
export async function openRedis(
  { url, password }: RedisAddress,
  packages: Pick<RedisPackages, "Redis">,
): Promise<Redis> {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The address of Redis is invalid",
      expected: "a URL such as redis://127.0.0.1:6379, or rediss://HOST:PORT over TLS",
      got: `"${withoutCredentials(url)}"`,
    });
  }
  const hasOwn = new URL(url).password !== "";
  let isConnected = false;
  const redis = new packages.Redis(url, {
    ...(!hasOwn && password !== undefined && { password }),
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
    return redis;
  } catch (error) {
    redis.disconnect();
    const cause = fault ?? error;
    throw new EspalierError({
      code: "queue-failed",
      problem: "Redis cannot be reached",
      where: withoutCredentials(url),
      got: faultText(cause),
      fix: "Check that it runs, and that address, password and TLS are right.",
      cause,
    });
  }
}

/** An error of several addresses has no message of its own. */
function faultText(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join("; ");
  return messageOf(cause);
}
