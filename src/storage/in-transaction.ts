import type { DatabaseSync } from "node:sqlite";

/**
 * Makes a change completely or not at all. Holds the write lock from the start, so that no read is
 * stale.
 */
export function inTransaction<TResult>(database: DatabaseSync, change: () => TResult): TResult {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = change();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // On a full disk, SQLite rolls back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
