import { optionalPackages } from "../../internal/index.ts";

/** The packages that reach Redis, which are installed beside this one. */
export type RedisPackages = Pick<typeof import("bullmq"), "Queue" | "QueueEvents" | "Worker"> &
  Pick<typeof import("ioredis"), "Redis">;

/** @throws EspalierError `part-missing` */
export function redisPackages(): Promise<RedisPackages> {
  return optionalPackages(
    async () => {
      const [{ Queue, QueueEvents, Worker }, { Redis }] = await Promise.all([
        import("bullmq"),
        import("ioredis"),
      ]);
      return { Queue, QueueEvents, Worker, Redis };
    },
    { need: "Work on Redis needs", packages: ["bullmq", "ioredis"] },
  );
}
