import { chmodSync, existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sqlite } from "../internal/index.ts";
import type { FoundDatabase, SqliteIdentity } from "./identify.ts";
import { identify, markAs } from "./identify.ts";
import { inTransaction } from "./in-transaction.ts";
import { makePrivateFile, privateModes } from "./private-files.ts";

/** One of our kinds of SQLite file. */
export interface DatabaseSchema extends SqliteIdentity {
  /** Statements that create the tables. */
  readonly tables: string;
  /** Statements for every connection. */
  readonly pragmas: string;
}

/** The reason why a file cannot be used. */
export type UnusableDatabase = Extract<FoundDatabase, { kind: "foreign" | "other-version" }>;

export interface OpenDatabaseOptions {
  /** How long a statement waits for another process that holds the file, in milliseconds. */
  readonly timeoutMs: number;
  /** Makes the error to throw for a file of another kind, program or version. */
  readonly refused: (found: UnusableDatabase) => Error;
}

/**
 * Opens a file. Creates a missing one, readable only by its owner. Any other file stays unchanged
 * to the byte. If several processes open a new file at once, one of them creates the tables.
 *
 * @param path `:memory:` for a database that disappears with its connection
 * @throws what `refused` makes, and what the system or SQLite throws
 */
export function openDatabase(
  path: string,
  schema: DatabaseSchema,
  { timeoutMs, refused }: OpenDatabaseOptions,
): DatabaseSync {
  const isFile = path !== ":memory:";
  if (isFile && !existsSync(path)) makePrivateFile(path);
  const database = sqlite(path, { timeout: timeoutMs });
  try {
    // This comes first, since pragmas may change a file: only our own files are touched.
    if (!isCurrent(database, schema, refused)) {
      inTransaction(database, () => {
        // Another process may have been first.
        if (isCurrent(database, schema, refused)) return;
        if (isFile) chmodSync(path, privateModes.file);
        database.exec(schema.tables);
        markAs(database, schema);
      });
    }
    database.exec(schema.pragmas);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Whether there is nothing to create.
 *
 * @throws what `refused` makes of a file that is neither ours nor empty
 */
export function isCurrent(
  database: DatabaseSync,
  schema: DatabaseSchema,
  refused: OpenDatabaseOptions["refused"],
): boolean {
  const found = identify(database, schema);
  if (found.kind === "ours") return true;
  if (found.kind === "empty") return false;
  throw refused(found);
}
