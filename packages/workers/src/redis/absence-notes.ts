import type { Redis } from "ioredis";
import type { RedisAddress } from "./redis-address.ts";
import { redisFault } from "./redis-fault.ts";

/** Shorter absences are those of an ordinary restart. */
const unannouncedMs = 5_000;
const betweenNotesMs = 30_000;

/**
 * Notes, as sentences, that an open connection has been lost for a while, again twice a minute, and
 * that it is back. Until then, commands wait. Returns what ends that.
 */
export function noteAbsences(
  redis: Redis,
  address: RedisAddress,
  onNote: (note: string) => void,
): () => void {
  const closed = new Error("The connection was closed.");
  let fault: unknown = closed;
  let waiting: NodeJS.Timeout | undefined;
  let isNoted = false;
  let isOver = false;
  const note = (): void => {
    const { problem, where } = redisFault(fault, address).report;
    onNote(`Waiting for Redis; nothing can continue without it: ${problem} (${where}).`);
    isNoted = true;
    wait(betweenNotesMs);
  };
  const wait = (ms: number): void => {
    // Who has nothing else to wait for ends.
    waiting = setTimeout(note, ms).unref();
  };
  redis.on("error", (error) => {
    fault = error;
  });
  redis.on("close", () => {
    if (waiting === undefined && !isOver) wait(unannouncedMs);
  });
  redis.on("ready", () => {
    clearTimeout(waiting);
    waiting = undefined;
    fault = closed;
    if (isNoted) onNote("Redis is back.");
    isNoted = false;
  });
  return () => {
    isOver = true;
    clearTimeout(waiting);
  };
}
