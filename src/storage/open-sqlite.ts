import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { ErrorCode } from "../errors/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";
import { sqlite } from "../internal/index.ts";
import type { DatabaseSchema, UnusableDatabase } from "./open-database.ts";
import { isCurrent, openDatabase } from "./open-database.ts";

/** A kind of SQLite file that users name, with its wording for messages. */
export interface SqliteFormat extends DatabaseSchema {
  /** What messages call such a file, for example `feedback file`. */
  readonly name: string;
  readonly unusable: ErrorCode;
  /** Which command creates such a file, in one sentence. */
  readonly maker: string;
}

/**
 * Opens a file as `openDatabase` does, with errors that name its kind.
 *
 * @param isMade whether to create a missing file
 * @throws EspalierError `file-missing`, and the format's `unusable`
 */
export function openSqlite(
  path: string,
  format: SqliteFormat,
  isMade: boolean,
  timeoutMs = 2_000,
): DatabaseSync {
  if (!isMade && path !== ":memory:" && !existsSync(path)) throw missing(path, format);
  try {
    return openDatabase(path, format, { timeoutMs, refused: refusal(path, format) });
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw unusable(path, format, { got: messageOf(error), cause: error });
  }
}

/**
 * Opens a file for reading only: nothing in it changes.
 *
 * @throws EspalierError `file-missing`, and the format's `unusable`
 */
export function readSqlite(path: string, format: SqliteFormat, timeoutMs = 2_000): DatabaseSync {
  if (!existsSync(path)) throw missing(path, format);
  let database: DatabaseSync | undefined;
  try {
    database = sqlite(path, { timeout: timeoutMs });
    // A connection that SQLite itself opens for reading leaves log files behind.
    database.exec("PRAGMA query_only = ON");
    if (isCurrent(database, format, refusal(path, format))) return database;
    throw unusable(path, format, { got: "an empty file", fix: format.maker });
  } catch (error) {
    database?.close();
    if (EspalierError.isInstance(error)) throw error;
    throw unusable(path, format, { got: messageOf(error), cause: error });
  }
}

function refusal(path: string, format: SqliteFormat): (found: UnusableDatabase) => EspalierError {
  return (found) =>
    unusable(
      path,
      format,
      found.kind === "foreign"
        ? { got: "another program's database" }
        : {
            got: `format version ${found.version}; this espalier reads ${format.version}`,
            fix: "Use the espalier version that created it, or choose another file.",
          },
    );
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
    fix = "Choose another file.",
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
