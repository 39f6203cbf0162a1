import { chmodSync, existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sqlite, systemClock } from "../internal/index.ts";
import { makePrivateFile, privateModes } from "./private-files.ts";
import { isBusy } from "./write-fault.ts";
import type { ErrorCode } from "../errors/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";

/** Distinguishes files of one kind from all other SQLite files. */
export interface SqliteIdentity {
  /** Four letters as a number. */
  readonly applicationId: number;
  /** Changes with the tables and with the meaning of their content. */
  readonly version: number;
}

/** What a SQLite file turns out to be when a file of one kind is expected. */
export type FoundDatabase =
  | { readonly kind: "ours" }
  | { readonly kind: "other-version"; readonly version: number }
  /** Nothing was ever stored in it. */
  | { readonly kind: "empty" }
  | { readonly kind: "foreign" };

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

/** Needs no write lock and changes nothing. */
export function identify(
  database: DatabaseSync,
  { applicationId, version }: SqliteIdentity,
): FoundDatabase {
  const found = numberFrom(database, "PRAGMA application_id");
  if (found === applicationId) {
    const foundVersion = numberFrom(database, "PRAGMA user_version");
    return foundVersion === version
      ? { kind: "ours" }
      : { kind: "other-version", version: foundVersion };
  }
  const isEmpty = found === 0 && numberFrom(database, "SELECT count(*) FROM sqlite_master") === 0;
  return { kind: isEmpty ? "empty" : "foreign" };
}

export function markAs(database: DatabaseSync, { applicationId, version }: SqliteIdentity): void {
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
}

function numberFrom(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}

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

/**
 * Rewrites a database file and empties its log, if any, so that no free or half-full page keeps
 * remains of removed data.
 *
 * @param done what is already done if the rewrite fails
 */
export function rewriteDatabase(
  database: DatabaseSync,
  { code, done }: { readonly code: ErrorCode; readonly done: string },
): void {
  try {
    database.exec("VACUUM");
    const ended = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (ended?.["busy"] !== 0) throw new Error("its log is being read");
  } catch (error) {
    throw new EspalierError({
      code,
      problem: `${done}, but the file could not be rewritten`,
      got: messageOf(error),
      fix: "Erase again when the server is less busy or stopped.",
      cause: error,
    });
  }
}
