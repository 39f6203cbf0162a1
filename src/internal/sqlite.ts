import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";

/**
 * Opens a database with Node's own SQLite. Nothing imports it: a Node.js without it would end at
 * the import, before it is told to be too old.
 */
export function sqlite(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  return new Database(path, options);
}
