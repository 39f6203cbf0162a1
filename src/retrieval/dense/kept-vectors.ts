import type { DatabaseSync } from "node:sqlite";
import { setImmediate as breathe } from "node:timers/promises";
import { inTransaction, sqliteResult, whenUnlocked } from "../../storage/index.ts";
import type { IndexFile } from "../index-file/index-file.ts";
import { indexFault } from "../index-file/index-fault.ts";
import { queryTable } from "../index-file/index-schema.ts";

/** Vectors by key, in an index file or a database. */
export interface KeptVectors {
  get(key: Uint8Array): Float32Array | undefined | Promise<Float32Array | undefined>;
  /** Resolves once the vector is stored; the first one stored under a key stays. */
  keep(key: Uint8Array, vector: Float32Array): Promise<void>;
  /** Resolves when no write is in progress. */
  settle(): Promise<void>;
}

type Row = readonly [key: Uint8Array, vector: Float32Array];

/**
 * Batches vectors that arrive while others wait to be written: a transaction per vector would take
 * about 1.5 ms, while 32 together take 2 ms (SSD, 1,024 numbers each).
 *
 * @param limit maximum number of vectors in the file; beyond it the oldest are removed
 */
export function keptVectors({ database, path }: IndexFile, limit: number): KeptVectors {
  const get = reader(database);
  let waiting: Row[] = [];
  let nextWrite: Promise<void> | undefined;
  const writes = new Set<Promise<void>>();
  let isWritable = limit > 0;

  const write = async (): Promise<void> => {
    await breathe();
    const rows = waiting;
    waiting = [];
    nextWrite = undefined;
    try {
      await whenUnlocked(database, () => store(database, rows, limit));
    } catch (error) {
      if (!isReadOnly(error)) throw indexFault(error, path);
      isWritable = false;
    }
  };

  return {
    get,
    keep: async (key, vector) => {
      if (!isWritable) return;
      waiting.push([key, vector]);
      if (nextWrite === undefined) {
        const started = write().finally(() => writes.delete(started));
        nextWrite = started;
        writes.add(started);
      }
      await nextWrite;
    },
    settle: async () => void (await Promise.allSettled(writes)),
  };
}

/** Checks for the table until it exists: this process or another may create it at any time. */
function reader(database: DatabaseSync): (key: Uint8Array) => Float32Array | undefined {
  let select: ReturnType<DatabaseSync["prepare"]> | undefined;
  const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'queries'");
  return (key) => {
    if (select === undefined && hasTable.get() === undefined) return undefined;
    select ??= database.prepare("SELECT vector FROM queries WHERE key = ?");
    const row = select.get(key);
    return vectorIn(row?.["vector"]);
  };
}

/** The vector in a blob; `undefined` for what holds none. */
export function vectorIn(bytes: unknown): Float32Array | undefined {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0 || bytes.length % 4 !== 0) return;
  // Copied, because a blob may not be aligned to four bytes.
  const vector = new Float32Array(Uint8Array.from(bytes).buffer);
  return vector.every(Number.isFinite) ? vector : undefined;
}

/** Replaces only what holds no vector. */
const keepQuery = `
  INSERT INTO queries (key, vector) VALUES (?, ?) ON CONFLICT (key) DO UPDATE
  SET vector = excluded.vector WHERE length(vector) <> length(excluded.vector)
`;

function store(database: DatabaseSync, rows: readonly Row[], limit: number): void {
  inTransaction(database, () => {
    database.exec(queryTable);
    const insert = database.prepare(keepQuery);
    for (const [key, { buffer, byteOffset, byteLength }] of rows) {
      insert.run(key, new Uint8Array(buffer, byteOffset, byteLength));
    }
    // Numbers have no gaps, so their range equals their count.
    database
      .prepare("DELETE FROM queries WHERE number <= (SELECT max(number) FROM queries) - ?")
      .run(limit);
  });
}

/** `SQLITE_READONLY`, or `SQLITE_CANTOPEN` if the folder does not allow a journal file. */
function isReadOnly(error: unknown): boolean {
  return [8, 14].includes(sqliteResult(error));
}
