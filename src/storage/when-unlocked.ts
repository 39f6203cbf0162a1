import type { DatabaseSync } from "node:sqlite";
import { systemClock } from "../internal/index.ts";
import { isBusy } from "./sqlite-result.ts";

/**
 * Runs `action`, and again as long as another connection holds the lock. Between tries the event
 * loop is free: SQLite's own waiting would block it, and with it the connection of this very
 * process that may hold the lock.
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

/**
 * Statements outside of this function meet only the commits of other processes, which are short.
 */
const shortLocksMs = 5_000;
