import type { DatabaseSync } from "node:sqlite";
import { systemClock } from "../internal/index.ts";

/**
 * Runs `action`, and again as long as another connection holds the lock. Between tries the event
 * loop is free: SQLite's own waiting would block it, and with it the connection of this very process
 * that may hold the lock.
 */
export async function whenUnlocked<TResult>(
  database: DatabaseSync,
  action: () => TResult,
  signal?: AbortSignal,
): Promise<TResult> {
  for (;;) {
    signal?.throwIfAborted();
    database.exec("PRAGMA busy_timeout = 0");
    try {
      return action();
    } catch (error) {
      if (!isBusy(error)) throw error;
    } finally {
      database.exec(`PRAGMA busy_timeout = ${shortLocksMs}`);
    }
    await systemClock.sleep(25, signal);
  }
}

/** Searches meet nothing but the commits of other processes, which are short. */
const shortLocksMs = 5_000;

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === 5
  );
}
