import type { DatabaseSync } from "node:sqlite";
import { systemClock } from "../internal/index.ts";
import { isBusy } from "./sqlite-result.ts";

/**
 * Runs `action`, and repeats it as long as another connection holds the lock. The event loop is
 * free between tries: SQLite's own waiting would block it, and with it the connection in this
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

/** Statements outside this function meet only the commits of other processes, which are short. */
const shortLocksMs = 5_000;
