import type { DatabaseSync } from "node:sqlite";

/**
 * Makes a change whole or not at all, holding the write lock from the start so that nothing read is
 * stale.
 */
export function inTransaction<TResult>(database: DatabaseSync, change: () => TResult): TResult {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = change();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk has SQLite roll back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
