import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EspalierError } from "../errors/index.ts";
import type { LmReply } from "../contract/index.ts";
import type { ReplyCache } from "./reply-cache.ts";

export interface DiskCache extends ReplyCache, AsyncDisposable {
  readonly size: number;
}

/**
 * Replies in a SQLite file, shared by runs and by processes at the same time. The first reply kept
 * under a key stays. Survives a process kill; power loss may lose the last replies.
 *
 * @throws EspalierError `cache-unusable` when the file is something else or from another version
 */
export function diskCache(path: string): DiskCache {
  const database = openDatabase(path);
  const select = database.prepare("SELECT reply FROM replies WHERE key = ?");
  const insert = database.prepare("INSERT OR IGNORE INTO replies (key, reply) VALUES (?, ?)");
  const count = database.prepare("SELECT count(*) AS size FROM replies");
  return {
    get size() {
      return Number(count.get()?.["size"]);
    },
    get: (key) =>
      orUnusable(path, () => {
        const row = select.get(Buffer.from(key, "hex"));
        return row === undefined ? undefined : (JSON.parse(String(row["reply"])) as LmReply);
      }),
    set: (key, reply) =>
      orUnusable(path, () => insert.run(Buffer.from(key, "hex"), JSON.stringify(reply))),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

// "eslm" in ASCII; tells our files from other SQLite files.
const applicationId = 0x65736c6d;
const version = 1;

function openDatabase(path: string): DatabaseSync {
  return orUnusable(path, () => {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
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

function orUnusable<TResult>(path: string, action: () => TResult): TResult {
  try {
    return action();
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "cache-unusable",
      problem: "The cache file cannot be used",
      got: error instanceof Error ? error.message : String(error),
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
      CREATE TABLE replies (key BLOB PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID;
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
