import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as breathe } from "node:timers/promises";
import { EspalierError } from "../../errors/index.ts";
import type { Corpus } from "../corpus/corpus.ts";
import type { IndexProgress } from "./index-progress.ts";
import { indexFault } from "./index-fault.ts";
import { count, objectOf, sqlite, text } from "../../internal/index.ts";
import { identify, inLongTransaction, whenUnlocked } from "../../storage/index.ts";
import { fts5Tokenizer, indexIdentity, makeIndexTables } from "./index-schema.ts";
import type { CorpusSource } from "../corpus/load-corpus.ts";
import { loadCorpus } from "../corpus/load-corpus.ts";
import type { Passage } from "../../contract/index.ts";
import { passageOfRecord } from "../corpus/passage-record.ts";

/** Options of every index over a file. Indexes of different kinds can share one file. */
export interface IndexFileOptions {
  /** SQLite file, created if absent. @default ":memory:" */
  readonly path?: string;
  /**
   * What to index. A file that already holds this corpus, by checksum, is used unchanged; a file
   * with another corpus is an error. @default the file's corpus
   */
  readonly corpus?: CorpusSource;
  readonly onProgress?: (progress: IndexProgress) => void;
  /**
   * Aborts the build; an unfinished index is discarded, but vectors that were paid for are kept.
   */
  readonly signal?: AbortSignal;
}

/** An open index file that holds one whole corpus. */
export interface IndexFile extends AsyncDisposable {
  readonly path: string;
  readonly database: DatabaseSync;
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Number of passages. */
  readonly size: number;
}

/**
 * Opens an index file; builds it from the corpus if it is new. The build is one transaction, so a
 * kill leaves an empty file, and if two processes open a new file, one builds and the other waits.
 *
 * @throws EspalierError `index-unusable` for a file of another corpus, version or program;
 * `file-missing` if there is neither file nor corpus; and the errors of reading a corpus
 */
export async function openIndexFile({
  path = ":memory:",
  corpus: source,
  onProgress,
  signal,
}: IndexFileOptions): Promise<IndexFile> {
  const wanted = source === undefined ? undefined : await loadCorpus(source, signal);
  const isNew = path === ":memory:" || !existsSync(path);
  if (isNew && wanted === undefined) throw nothingToOpen(path);
  if (isNew && path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  let database: DatabaseSync | undefined;
  try {
    const opened = sqlite(path);
    database = opened;
    if (wanted !== undefined) {
      await storeCorpus(opened, wanted, {
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(signal === undefined ? {} : { signal }),
      });
    }
    const held = await whenUnlocked(opened, () => heldCorpus(opened, path), signal);
    if (wanted !== undefined && held.checksum !== wanted.checksum) {
      throw anotherCorpus(path, wanted, held);
    }
    return {
      path,
      database: opened,
      ...held,
      [Symbol.asyncDispose]: async () => opened.close(),
    };
  } catch (error) {
    database?.close();
    throw indexFault(error, path);
  }
}

const heldShape = objectOf({ checksum: text, size: count });

/** Rejects every file that this version did not write. */
function heldCorpus(
  database: DatabaseSync,
  path: string,
): { readonly checksum: string; readonly size: number } {
  const found = identify(database, indexIdentity);
  if (found.kind === "ours") {
    const row = database.prepare("SELECT checksum, size FROM corpus").get();
    if (heldShape(row) === null)
      return { checksum: String(row?.["checksum"]), size: Number(row?.["size"]) };
  }
  const [got, fix] =
    found.kind === "ours"
      ? ["an index without its corpus", "Remove the file and rebuild the index."]
      : found.kind === "other-version"
        ? [`a version ${found.version} index`, "Remove the file and rebuild the index."]
        : found.kind === "empty"
          ? ["an empty file: the build was interrupted or never started", "Rebuild the index."]
          : ["another program's database", "Choose another file."];
  throw new EspalierError({
    code: "index-unusable",
    problem: "The file is not an index that this version can use",
    expected: `a version ${indexIdentity.version} index (${fts5Tokenizer})`,
    got,
    where: path,
    fix,
  });
}

function nothingToOpen(path: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: "There is neither an index to open nor a corpus to build one from",
    where: path,
    fix: "Pass a corpus, or correct the path of the index.",
  });
}

function anotherCorpus(
  path: string,
  wanted: Corpus,
  held: { readonly checksum: string; readonly size: number },
): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "The file holds the index of another corpus",
    expected: `${wanted.passages.length} passages, checksum ${wanted.checksum.slice(0, 12)}`,
    got: `${held.size} passages, checksum ${held.checksum.slice(0, 12)}`,
    where: path,
    fix: "Choose another file, or remove this one to rebuild the index.",
  });
}

/**
 * Writes a corpus and its words into an empty database, in one transaction; does nothing if it is
 * not empty.
 */
async function storeCorpus(
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

/** What an index holds, wherever it is. */
export interface IndexContents {
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Number of passages. */
  readonly size: number;
  /** Passages with a title. */
  readonly titled: number;
  /** Number of passages that have a field in their metadata, by its name. */
  readonly fields: Readonly<Record<string, number>>;
  /** On disk, with its vectors; absent for a place in an object store. */
  readonly bytes?: number;
  readonly embeddings: readonly {
    readonly provider: string;
    readonly model: string;
    readonly dimension: number;
    /** Passages that have a vector so far. */
    readonly embedded: number;
  }[];
  /** The first passages by id. */
  readonly examples: readonly Passage[];
}

/** The content of an index file. */
export interface IndexReport extends IndexContents {
  readonly path: string;
  readonly version: number;
  /** FTS5's name of the tokenizer. */
  readonly tokenizer: string;
  /** Distinct stems. */
  readonly stems: number;
}

export function inspectIndex(
  { path, database, checksum, size }: IndexFile,
  exampleCount = 3,
): IndexReport {
  const count = (query: string): number => Number(database.prepare(query).get()?.["value"]);
  const embeddings = database.prepare(`
    SELECT provider, model, dimension,
      (SELECT count(*) FROM vectors WHERE embedding = embeddings.number) AS embedded
    FROM embeddings ORDER BY number
  `);
  const fields = database.prepare(`
    SELECT key, count(*) AS holders FROM passages, json_each(passages.metadata)
    WHERE passages.metadata IS NOT NULL GROUP BY key ORDER BY key
  `);
  const examples = database.prepare("SELECT * FROM passages ORDER BY number LIMIT ?");
  return {
    path,
    version: indexIdentity.version,
    tokenizer: fts5Tokenizer,
    checksum,
    size,
    titled: count("SELECT count(*) AS value FROM passages WHERE title IS NOT NULL"),
    stems: count("SELECT count(*) AS value FROM vocabulary"),
    fields: Object.fromEntries(
      fields.all().map((row) => [String(row["key"]), Number(row["holders"])]),
    ),
    ...(path !== ":memory:" && { bytes: statSync(path).size }),
    embeddings: embeddings.all().map((row) => ({
      provider: String(row["provider"]),
      model: String(row["model"]),
      dimension: Number(row["dimension"]),
      embedded: Number(row["embedded"]),
    })),
    examples: examples.all(exampleCount).map(passageOfRecord),
  };
}
