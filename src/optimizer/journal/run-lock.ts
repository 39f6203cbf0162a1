import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EspalierError } from "../../errors/index.ts";
import { thisProcess } from "../../internal/index.ts";

/**
 * Takes a run's folder for this process until disposed of; the folder is made when absent.
 *
 * The lock is SQLite's write lock on `run.lock`, which the operating system gives back when its holder
 * ends in whatever way: a kill leaves nothing that must be told from a live process. The file stays,
 * since removing it would let two processes hold two locks of one name. Not covered: hosts that share
 * the folder over a file system that does not share its locks, and a holder that reads `run.lock`
 * other than through SQLite, which drops the lock on POSIX systems.
 *
 * @throws EspalierError `run-locked`
 */
export function runLock(folder: string): Disposable {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "run.lock");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: shortLocksMs });
    // The note is for whoever is refused while this process lives: no disk need be waited for.
    database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    noteHolder(database);
    // The commit lets others read the note, and lets go of the lock for a moment: whoever begins then
    // holds it, and this process is refused.
    database.exec("COMMIT; BEGIN IMMEDIATE");
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    const refusal = refused(error, folder, database && holderIn(database));
    database?.close();
    throw refusal;
  }
}

/** A process that was killed a moment ago may not have ended yet. */
const shortLocksMs = 500;

function noteHolder(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, host TEXT NOT NULL);
    DELETE FROM holder;
  `);
  const { pid, host } = thisProcess();
  database.prepare("INSERT INTO holder (pid, host) VALUES (?, ?)").run(pid, host);
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

function refused(error: unknown, folder: string, holder = "another process"): EspalierError {
  const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
  return new EspalierError({
    code: "run-locked",
    where: folder,
    ...(isBusy
      ? {
          problem: "Another process is writing to the run's folder",
          expected: "one process at a time",
          got: `${holder}, which still runs`,
          fix: "Wait for it or end it, and then resume the run; or name another folder.",
        }
      : {
          problem: "The run's folder cannot be locked",
          expected: "a folder where `run.lock` can be written and locked",
          got: error instanceof Error ? error.message : String(error),
          fix: "Name a folder on a local disk; if `run.lock` is broken, remove it while no process uses the run.",
        }),
    cause: error,
  });
}
