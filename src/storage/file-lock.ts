import { mkdirSync, statSync } from "node:fs";
import { hostname } from "node:os";
import type { DatabaseSync } from "node:sqlite";
import { dirname } from "node:path";
import { messageOf } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import { sqlite } from "../internal/index.ts";
import { makePrivateFile } from "./private-files.ts";
import { isBusy, sqliteResult, writeFault } from "./write-fault.ts";

export type LockRefusal =
  | { readonly kind: "held"; readonly holder: string }
  | { readonly kind: "unusable"; readonly problem: string };

/**
 * Holds a file as a lock for this process until disposed of; creates file and folder if missing.
 * The lock is SQLite's write lock on the file, which the operating system releases however its
 * holder ends: after a kill, nothing is left that could be mistaken for a live process. The file
 * stays, because removing it would let two processes hold two locks of one name. Not covered: hosts
 * that share the folder over a file system that does not share its locks, and a holder that reads
 * the file other than through SQLite, which drops the lock on POSIX systems.
 *
 * @param refused makes the error to throw
 * @throws EspalierError `write-failed` on a full or read-only disk
 */
export function fileLock(
  path: string,
  refused: (why: LockRefusal, cause: unknown) => Error,
): Disposable {
  let database: DatabaseSync | undefined;
  try {
    makePrivateFile(path);
    database = sqlite(path, { timeout: shortLocksMs });
    // The note is for processes refused while this one lives, so it need not wait for the disk.
    database.exec("PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
    noteHolder(database);
    // The commit lets others read the note, and releases the lock for a moment: a process that
    // begins in that moment holds it, and this one is refused.
    database.exec("COMMIT; BEGIN IMMEDIATE");
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    const why = refusalOf(error, database);
    database?.close();
    throw isUnwritable(error) ? writeFault(error, path, beforeAnything) : refused(why, error);
  }
}

/** A process killed a moment ago may not have ended yet. */
const shortLocksMs = 500;

const beforeAnything = { kept: "Nothing was changed.", next: "try again" };

/** On a full or read-only disk. */
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

/** Who holds a lock by the note in its file; of another machine, nothing more is known. */
export type LockHolder = "a process of this machine" | "another machine" | "none";

/** Reads the note only: neither takes the lock nor makes its holder wait. */
export function lockHolder(path: string): LockHolder {
  try {
    using database = sqlite(path, { readOnly: true, timeout: 100 });
    const { pid, host } = database.prepare("SELECT pid, host FROM holder").get() ?? {};
    if (host !== hostname()) return host === undefined ? "none" : "another machine";
    process.kill(Number(pid), 0);
    // A process that began after the note was written has only inherited the number.
    const begun = statSync(`/proc/${String(pid)}`, { throwIfNoEntry: false });
    const isHeirs = begun !== undefined && begun.ctimeMs > statSync(path).mtimeMs + 5_000;
    return isHeirs ? "none" : "a process of this machine";
  } catch (error) {
    const isOfOther = (error as { readonly code?: string }).code === "EPERM";
    return isOfOther ? "a process of this machine" : "none";
  }
}

/** The last holder that left a note; `undefined` if the file has none. */
function holderIn(database: DatabaseSync): string | undefined {
  try {
    const row = database.prepare("SELECT pid, host FROM holder").get();
    return row && `process ${String(row["pid"])} on ${String(row["host"])}`;
  } catch {
    return undefined;
  }
}

/**
 * Waits for the lock that a file represents, and makes others wait until disposed of; creates file
 * and folder if missing. The lock is SQLite's write lock, as with `fileLock`, which does not wait
 * and notes its holder; nothing is ever written to this file.
 *
 * @param options.patienceMs how long to wait
 * @param options.refused makes the error to throw
 */
export async function waitForLock(
  path: string,
  {
    patienceMs,
    clock,
    refused,
  }: {
    readonly patienceMs: number;
    readonly clock: Clock;
    readonly refused: (why: LockRefusal, cause: unknown) => Error;
  },
): Promise<Disposable> {
  const until = clock.now() + patienceMs;
  for (;;) {
    try {
      return taken(path);
    } catch (error) {
      if (!isBusy(error)) throw refused({ kind: "unusable", problem: messageOf(error) }, error);
      if (clock.now() >= until) throw refused({ kind: "held", holder: "another process" }, error);
    }
    await clock.sleep(20);
  }
}

function taken(path: string): Disposable {
  mkdirSync(dirname(path), { recursive: true });
  // Waiting inside SQLite would block the whole process.
  const database = sqlite(path, { timeout: 0 });
  try {
    database.exec("BEGIN IMMEDIATE");
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}
