import { chmodSync, existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { FoundDatabase, SqliteIdentity } from "./identify.ts";
import { identify, markAs } from "./identify.ts";
import { inTransaction } from "./in-transaction.ts";
import { makePrivateFile, privateModes } from "./private-files.ts";

/** A kind of SQLite file of ours. */
export interface DatabaseSchema extends SqliteIdentity {
  /** Statements that make the tables. */
  readonly tables: string;
  /** Statements that turn a file of a version into one of the next, by version. @default none */
  readonly upgrades?: Readonly<Record<number, string>>;
  /** Statements for each connection. */
  readonly pragmas: string;
}

/** What a file is that cannot be used. */
export type UnusableDatabase = Extract<FoundDatabase, { kind: "foreign" | "other-version" }>;

export interface OpenDatabaseOptions {
  /** How long a statement waits for another process that holds the file. */
  readonly timeoutMs: number;
  /** Makes the error that is thrown for a file of another kind, program or version. */
  readonly refused: (found: UnusableDatabase) => Error;
}

/**
 * Opens a file; makes one that is not there, readable for its owner only, and upgrades one of an
 * older version where the schema says how. Every other file is left as it is, to the byte. Of
 * several processes that open a new file at once, one makes the tables.
 *
 * @param path `:memory:` for one that is gone with its connection
 * @throws what `refused` makes, and what the system or SQLite throws
 */
export function openDatabase(
  path: string,
  schema: DatabaseSchema,
  { timeoutMs, refused }: OpenDatabaseOptions,
): DatabaseSync {
  const isFile = path !== ":memory:";
  if (isFile && !existsSync(path)) makePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: timeoutMs });
  try {
    // First, since pragmas may change a file: only one of ours is touched.
    if (!isCurrent(database, schema, refused)) {
      inTransaction(database, () => {
        // Another process may have been first.
        if (isCurrent(database, schema, refused)) return;
        const found = identify(database, schema);
        if (found.kind === "other-version") upgrade(database, schema, found.version);
        else {
          if (isFile) chmodSync(path, privateModes.file);
          database.exec(schema.tables);
        }
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
 * Whether there is nothing to make or upgrade.
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
  if (found.kind === "other-version" && canUpgrade(schema, found.version)) return false;
  throw refused(found);
}

function canUpgrade({ version, upgrades }: DatabaseSchema, from: number): boolean {
  return from < version && upgrades?.[from] !== undefined;
}

function upgrade(
  database: DatabaseSync,
  { upgrades = {}, version }: DatabaseSchema,
  from: number,
): void {
  for (let each = from; each < version; each += 1) database.exec(upgrades[each] ?? "");
}
