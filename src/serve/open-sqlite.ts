import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ErrorCode } from "../errors/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";

/** A kind of SQLite file that the server keeps. */
export interface SqliteFormat {
  /** What such a file is called in messages, as `file of feedback`. */
  readonly name: string;
  /** Tells its files from other SQLite files: four letters as a number. */
  readonly applicationId: number;
  readonly version: number;
  /** Statements that make the tables. */
  readonly tables: string;
  /** Statements for each connection. */
  readonly pragmas: string;
  readonly unusable: ErrorCode;
  /** Which command makes such a file, in one sentence. */
  readonly maker: string;
}

/**
 * Opens a file. Another kind of file, or one of another version, is left as it is.
 *
 * @param path `:memory:` for one that is gone with its connection
 * @param isMade whether a file that is not there is made, readable for its owner only
 * @throws EspalierError `file-missing`, and the format's `unusable`
 */
export function openSqlite(path: string, format: SqliteFormat, isMade: boolean): DatabaseSync {
  const isThere = path === ":memory:" || existsSync(path);
  if (!isThere && !isMade) throw missing(path, format);
  let database: DatabaseSync | undefined;
  try {
    if (!isThere) mkdirSync(dirname(path), { recursive: true });
    database = new DatabaseSync(path, { timeout: 2_000 });
    // First, since pragmas may change a file: only one of ours is touched.
    create(database, path, format);
    database.exec(format.pragmas);
    return database;
  } catch (error) {
    database?.close();
    if (EspalierError.isInstance(error)) throw error;
    throw unusable(path, format, messageOf(error), error);
  }
}

function create(database: DatabaseSync, path: string, format: SqliteFormat): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const found = numberFrom(database, "PRAGMA application_id");
    const isEmpty = numberFrom(database, "SELECT count(*) FROM sqlite_master") === 0;
    if (found === 0 && isEmpty) {
      if (path !== ":memory:") chmodSync(path, 0o600);
      database.exec(format.tables);
      database.exec(
        `PRAGMA application_id = ${format.applicationId}; PRAGMA user_version = ${format.version}`,
      );
    } else if (found !== format.applicationId) {
      throw unusable(path, format, "another program's database");
    } else if (numberFrom(database, "PRAGMA user_version") !== format.version) {
      throw unusable(path, format, "one of another version");
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
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
  got: string,
  cause?: unknown,
): EspalierError {
  return new EspalierError({
    code,
    problem: `The ${name} cannot be used`,
    got,
    where: path,
    fix: "Name another file.",
    cause,
  });
}
