import type { DatabaseSync } from "node:sqlite";
import { whenUnlocked } from "./when-unlocked.ts";

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
