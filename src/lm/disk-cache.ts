import { DatabaseSync } from "node:sqlite";
import { EspalierError, messageOf } from "../errors/index.ts";
import type { LmReply } from "../contract/index.ts";
import type { WriteFaultReport } from "../storage/index.ts";
import { makePrivateFile, writeFault } from "../storage/index.ts";
import type { ReplyCache } from "./reply-cache.ts";

export interface DiskCache extends ReplyCache, AsyncDisposable {
  readonly size: number;
}

/**
 * Replies in a SQLite file, shared by runs and by processes at the same time. The first reply kept
 * under a key stays. Replies are written together, at most `writeDelayMs` after they came: a process
 * kill may lose those, power loss some more.
 *
 * @throws EspalierError `cache-unusable` when the file is something else or from another version;
 *   `write-failed`, from then on, when it cannot take what is written
 */
export function diskCache(path: string): DiskCache {
  const database = openDatabase(path);
  const select = database.prepare("SELECT reply FROM replies WHERE key = ?");
  const insert = database.prepare("INSERT OR IGNORE INTO replies (key, reply) VALUES (?, ?)");
  const count = database.prepare("SELECT count(*) AS size FROM replies");
  // A transaction for each reply costs more CPU than the rest of a call's bookkeeping.
  const unwritten = new Map<string, LmReply>();
  let writing: NodeJS.Timeout | undefined;
  let failure: Error | undefined;
  let isTold = false;

  const write = (): void => {
    clearTimeout(writing);
    writing = undefined;
    if (unwritten.size === 0) return;
    const fault = {
      kept: `The replies before the last ${unwritten.size} are kept.`,
      next: "run the command again",
    };
    const writeAll = (): void =>
      inTransaction(database, () => {
        for (const [key, reply] of unwritten) {
          insert.run(Buffer.from(key, "hex"), JSON.stringify(reply));
        }
      });
    orUnusable(path, writeAll, fault);
    unwritten.clear();
  };
  // Nobody awaits the timer: what it cannot write is told to the next caller.
  const writeLater = (): void => {
    try {
      write();
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
  };
  const throwFailure = (): void => {
    if (failure === undefined) return;
    isTold = true;
    throw failure;
  };

  return {
    get size() {
      write();
      return Number(count.get()?.["size"]);
    },
    get: (key) => {
      throwFailure();
      const fresh = unwritten.get(key);
      if (fresh !== undefined) return fresh;
      return orUnusable(path, () => {
        const row = select.get(Buffer.from(key, "hex"));
        return row === undefined ? undefined : (JSON.parse(String(row["reply"])) as LmReply);
      });
    },
    set: (key, reply) => {
      // Kept in any case: there may be room when the cache is closed.
      if (!unwritten.has(key)) unwritten.set(key, reply);
      throwFailure();
      writing ??= setTimeout(writeLater, writeDelayMs);
    },
    [Symbol.asyncDispose]: async () => {
      try {
        write();
      } catch (error) {
        if (!isTold) throw error;
      } finally {
        database.close();
      }
    },
  };
}

function inTransaction(database: DatabaseSync, action: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    action();
    database.exec("COMMIT");
  } catch (error) {
    // A full disk has SQLite roll back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

const writeDelayMs = 20;

// "eslm" in ASCII; tells our files from other SQLite files.
const applicationId = 0x65736c6d;
const version = 1;

function openDatabase(path: string): DatabaseSync {
  return orUnusable(path, () => {
    if (path !== ":memory:") makePrivateFile(path);
    const database = new DatabaseSync(path, { timeout: 30_000 });
    try {
      prepareSchema(database, path);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function orUnusable<TResult>(
  path: string,
  action: () => TResult,
  fault: WriteFaultReport = { kept: "What it holds is kept.", next: "run the command again" },
): TResult {
  try {
    return action();
  } catch (thrown) {
    // That no folder can be made for it is a fault of its path.
    const isPath = thrown instanceof Error && "syscall" in thrown && thrown.syscall === "mkdir";
    const error = isPath ? thrown : writeFault(thrown, path, fault);
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "cache-unusable",
      problem: "The cache file cannot be used",
      got: messageOf(error),
      where: path,
      fix: "Name another file, or remove this one if it is a cache.",
      cause: error,
    });
  }
}

function prepareSchema(database: DatabaseSync, path: string): void {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  // One writer at a time decides, so that two processes may open a new file at once.
  database.exec("BEGIN IMMEDIATE");
  const found = {
    applicationId: numberFrom(database, "PRAGMA application_id"),
    version: numberFrom(database, "PRAGMA user_version"),
    tables: numberFrom(database, "SELECT count(*) FROM sqlite_master"),
  };
  if (found.tables === 0 && found.applicationId === 0) {
    database.exec(`
      PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${version};
      CREATE TABLE replies (key BLOB NOT NULL UNIQUE, reply TEXT NOT NULL);
    `);
  } else if (found.applicationId !== applicationId || found.version !== version) {
    throw new EspalierError({
      code: "cache-unusable",
      problem: "The cache file is not one that this version can use",
      expected: `cache version ${version}`,
      got:
        found.applicationId === applicationId
          ? `cache version ${found.version}`
          : "another program's database",
      where: path,
      fix: "Name another file, or remove this one if it is an old cache.",
    });
  }
  database.exec("COMMIT");
}

function numberFrom(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}
