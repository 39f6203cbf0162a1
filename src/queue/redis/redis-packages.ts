import { EspalierError } from "../../errors/index.ts";

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
