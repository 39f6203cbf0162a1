import type { DatabaseSync } from "node:sqlite";
import { setImmediate as breathe } from "node:timers/promises";
import { identify, inLongTransaction, whenUnlocked } from "../../storage/index.ts";
import type { Corpus } from "../corpus/corpus.ts";
import type { IndexProgress } from "./index-progress.ts";
import { indexIdentity, makeIndexTables } from "./index-schema.ts";

/**
 * Writes a corpus and its words into an empty database, in one transaction; does nothing if it is
 * not empty.
 */
export async function storeCorpus(
  database: DatabaseSync,
  { passages, checksum }: Corpus,
  {
    onProgress,
    signal,
  }: {
    readonly onProgress?: (progress: IndexProgress) => void;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  const isEmpty = (): boolean => identify(database, indexIdentity).kind === "empty";
  // Checked first without a lock, so that a finished index works from a read-only file.
  if (!(await whenUnlocked(database, isEmpty, signal))) return;
  const store = async (): Promise<void> => {
    if (!isEmpty()) return;
    makeIndexTables(database);
    database
      .prepare("INSERT INTO corpus (checksum, size) VALUES (?, ?)")
      .run(checksum, passages.length);
    const insertPassage = database.prepare(
      "INSERT INTO passages (number, id, title, text, metadata) VALUES (?, ?, ?, ?, ?)",
    );
    const insertWords = database.prepare("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)");
    for (const [index, { id, title = null, text, metadata }] of passages.entries()) {
      if (index % rowsAtATime === 0) {
        onProgress?.({ step: "index", done: index, total: passages.length });
        await breathe();
        signal?.throwIfAborted();
      }
      insertPassage.run(
        index,
        id,
        title,
        text,
        metadata === undefined ? null : JSON.stringify(metadata),
      );
      insertWords.run(index, title, text);
    }
    // Merges segments into one, since a search reads each of them.
    database.exec("INSERT INTO words (words) VALUES ('optimize')");
  };
  await inLongTransaction(database, store, signal);
  onProgress?.({ step: "index", done: passages.length, total: passages.length });
}

const rowsAtATime = 1_000;
