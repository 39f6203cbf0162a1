import type { DatabaseSync } from "node:sqlite";
import { systemClock } from "../internal/index.ts";
import { isBusy } from "./sqlite-result.ts";

/**
 * Makes a change completely or not at all. Holds the write lock from the start, so that no read is
 * stale.
 */
export function inTransaction<TResult>(database: DatabaseSync, change: () => TResult): TResult {
  database.exec(begin);
  try {
    const result = change();
    database.exec(commit);
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** As `inTransaction`, for a change that leaves the event loop free; waits for the lock. */
export async function inLongTransaction<TResult>(
  database: DatabaseSync,
  change: () => Promise<TResult>,
  signal?: AbortSignal,
): Promise<TResult> {
  await whenUnlocked(database, () => database.exec(begin), signal);
  try {
    const result = await change();
    database.exec(commit);
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

const begin = "BEGIN IMMEDIATE";
const commit = "COMMIT";

function rollBack(database: DatabaseSync): void {
  // On a full disk, SQLite rolls back by itself.
  if (database.isTransaction) database.exec("ROLLBACK");
}

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
