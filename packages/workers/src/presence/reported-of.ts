import type { Redis } from "ioredis";
import type { Shape } from "../../../../src/internal/index.ts";
import { jsonOrUndefined } from "../../../../src/internal/index.ts";

/** What is told of each id, under its key; leaves out what is not told, or is of another shape. */
export async function reportedOf<TReported>(
  redis: Redis,
  ids: readonly string[],
  keyOf: (id: string) => string,
  shapeOf: (id: string) => Shape,
): Promise<readonly TReported[]> {
  if (ids.length === 0) return [];
  const reported = await redis.mget(ids.map(keyOf));
  return ids.flatMap((id, index) => {
    const value = jsonOrUndefined(reported[index] ?? "");
    return shapeOf(id)(value) === null ? [value as TReported] : [];
  });
}
