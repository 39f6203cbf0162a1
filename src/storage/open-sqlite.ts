import { chmodSync, existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { ErrorCode } from "../errors/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";
import { makePrivateFile } from "./private-files.ts";

/** A kind of SQLite file that the server keeps. */
export interface SqliteFormat {
  /** What such a file is called in messages, as `file of feedback`. */
  readonly name: string;
  /** Tells its files from other SQLite files: four letters as a number. */
  readonly applicationId: number;
  readonly version: number;
  /** Statements that make the tables. */
  readonly tables: string;
  /** Statements that turn a file of a version into one of the next, by version. @default none */
  readonly upgrades?: Readonly<Record<number, string>>;
  /** Statements for each connection. */
  readonly pragmas: string;
  readonly unusable: ErrorCode;
  /** Which command makes such a file, in one sentence. */
  readonly maker: string;
}

/**
 * Opens a file, and upgrades one of an older version where the format says how. Another kind of file, or
 * one of another version, is left as it is.
 *
 * @param path `:memory:` for one that is gone with its connection
 * @param isMade whether a file that is not there is made, readable for its owner only
 * @param timeoutMs how long a statement waits for another process that holds the file
 * @throws EspalierError `file-missing`, and the format's `unusable`
 */
export function openSqlite(
  path: string,
  format: SqliteFormat,
  isMade: boolean,
  timeoutMs = 2_000,
): DatabaseSync {
  const isThere = path === ":memory:" || existsSync(path);
  if (!isThere && !isMade) throw missing(path, format);
  let database: DatabaseSync | undefined;
  try {
    if (!isThere) makePrivateFile(path);
    database = new DatabaseSync(path, { timeout: timeoutMs });
    // First, since pragmas may change a file: only one of ours is touched.
    if (!isCurrent(database, path, format)) create(database, path, format);
    database.exec(format.pragmas);
    return database;
  } catch (error) {
    database?.close();
    if (EspalierError.isInstance(error)) throw error;
    throw unusable(path, format, { got: messageOf(error), cause: error });
  }
}

/**
 * Opens a file only to read it: nothing in it is changed, and one of an older version is refused, since a
 * server of that version may be using it.
 *
 * @throws EspalierError `file-missing`, and the format's `unusable`
 */
export function readSqlite(path: string, format: SqliteFormat, timeoutMs = 2_000): DatabaseSync {
  if (!existsSync(path)) throw missing(path, format);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: timeoutMs });
    // A connection that SQLite itself opens for reading leaves files of a log behind.
    database.exec("PRAGMA query_only = ON");
    if (isCurrent(database, path, format)) return database;
    throw unusable(path, format, {
      got: isEmpty(database) ? "an empty file" : "one of an earlier version of espalier",
      fix: "Start a server of this version with it, which upgrades it.",
    });
  } catch (error) {
    database?.close();
    if (EspalierError.isInstance(error)) throw error;
    throw unusable(path, format, { got: messageOf(error), cause: error });
  }
}

/**
 * Does the first work with an opened file, and closes a file that does not allow it.
 *
 * @throws EspalierError the format's `unusable`
 */
export function orClosed<TResult>(
  database: DatabaseSync,
  { path, format }: { readonly path: string; readonly format: SqliteFormat },
  work: () => TResult,
): TResult {
  try {
    return work();
  } catch (error) {
    database.close();
    throw unusable(path, format, { got: messageOf(error), cause: error });
  }
}

function create(database: DatabaseSync, path: string, format: SqliteFormat): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been first.
    if (!isCurrent(database, path, format)) {
      if (isEmpty(database)) {
        if (path !== ":memory:") chmodSync(path, 0o600);
        database.exec(format.tables);
      } else upgrade(database, format);
      database.exec(
        `PRAGMA application_id = ${format.applicationId}; PRAGMA user_version = ${format.version}`,
      );
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/**
 * Whether there is nothing to make or upgrade; needs no lock for writing.
 *
 * @throws EspalierError the format's `unusable`
 */
function isCurrent(database: DatabaseSync, path: string, format: SqliteFormat): boolean {
  const found = numberFrom(database, "PRAGMA application_id");
  if (found === 0 && isEmpty(database)) return false;
  if (found !== format.applicationId) {
    throw unusable(path, format, { got: "another program's database" });
  }
  const version = numberFrom(database, "PRAGMA user_version");
  if (version === format.version) return true;
  if (version < format.version && format.upgrades?.[version] !== undefined) return false;
  throw unusable(path, format, {
    got: `one of another version: ${version}, where this espalier reads ${format.version}`,
    fix: "Use the espalier that made it, or name another file.",
  });
}

function upgrade(database: DatabaseSync, { upgrades = {}, version }: SqliteFormat): void {
  const from = numberFrom(database, "PRAGMA user_version");
  for (let each = from; each < version; each += 1) database.exec(upgrades[each] ?? "");
}

function isEmpty(database: DatabaseSync): boolean {
  return numberFrom(database, "SELECT count(*) FROM sqlite_master") === 0;
}

function numberFrom(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}

function missing(path: string, { name, maker }: SqliteFormat): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: `There is no ${name}`,
    where: path,
    fix: maker,
  });
}

function unusable(
  path: string,
  { name, unusable: code }: SqliteFormat,
  {
    got,
    fix = "Name another file.",
    cause,
  }: { readonly got: string; readonly fix?: string; readonly cause?: unknown },
): EspalierError {
  return new EspalierError({
    code,
    problem: `The ${name} cannot be used`,
    got,
    where: path,
    fix,
    cause,
  });
}
