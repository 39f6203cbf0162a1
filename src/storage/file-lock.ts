import { hostname } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../errors/index.ts";
import { makePrivateFile } from "./private-files.ts";
import { isBusy, sqliteResult } from "./sqlite-result.ts";
import { writeFault } from "./write-fault.ts";

/** Why a lock was not to be had. */
export type LockRefusal =
  | { readonly kind: "held"; readonly holder: string }
  | { readonly kind: "unusable"; readonly problem: string };

/**
 * Takes a file as a lock for this process until disposed of; file and folder are made when absent.
 *
 * The lock is SQLite's write lock on the file, which the operating system gives back when its
 * holder ends in whatever way: a kill leaves nothing that must be told from a live process. The
 * file stays, since removing it would let two processes hold two locks of one name. Not covered:
 * hosts that share the folder over a file system that does not share its locks, and a holder that
 * reads the file other than through SQLite, which drops the lock on POSIX systems.
 *
 * @param refused makes the error that is thrown
 * @throws EspalierError `write-failed` on a disk that is full or can only be read
 */
export function fileLock(
  path: string,
  refused: (why: LockRefusal, cause: unknown) => Error,
): Disposable {
  let database: DatabaseSync | undefined;
  try {
    makePrivateFile(path);
    database = new DatabaseSync(path, { timeout: shortLocksMs });
    // The note is for whoever is refused while this process lives: no disk need be waited for.
    database.exec("PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
    noteHolder(database);
    // The commit lets others read the note, and lets go of the lock for a moment: whoever begins
    // then holds it, and this process is refused.
    database.exec("COMMIT; BEGIN IMMEDIATE");
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    const why = refusalOf(error, database);
    database?.close();
    throw isUnwritable(error) ? writeFault(error, path, beforeAnything) : refused(why, error);
  }
}

/** A process that was killed a moment ago may not have ended yet. */
const shortLocksMs = 500;

const beforeAnything = { kept: "Nothing was changed.", next: "try again" };

/** On a full disk, or one that can only be read. */
function isUnwritable(error: unknown): boolean {
  const { code = "" } = error as { readonly code?: string };
  return [8, 13].includes(sqliteResult(error)) || ["ENOSPC", "EDQUOT", "EROFS"].includes(code);
}

function noteHolder(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, host TEXT NOT NULL);
    DELETE FROM holder;
  `);
  const note = database.prepare("INSERT INTO holder (pid, host) VALUES (?, ?)");
  note.run(process.pid, hostname());
}

function refusalOf(error: unknown, database: DatabaseSync | undefined): LockRefusal {
  if (isBusy(error))
    return { kind: "held", holder: (database && holderIn(database)) ?? "another process" };
  return { kind: "unusable", problem: messageOf(error) };
}

/** Who noted itself last; `undefined` where the file does not tell. */
function holderIn(database: DatabaseSync): string | undefined {
  try {
    const row = database.prepare("SELECT pid, host FROM holder").get();
    return row && `process ${String(row["pid"])} on ${String(row["host"])}`;
  } catch {
    return undefined;
  }
}
