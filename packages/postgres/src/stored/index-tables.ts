import { EspalierError } from "../../../../src/errors/index.ts";
import type { Row, RunQuery } from "../server/postgres-pool.ts";

/** Increases with changes to the tables or to anything that affects search results. */
export const indexVersion = 1;

/** What a schema holds. */
export interface HeldCorpus {
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Number of passages of the whole corpus. */
  readonly size: number;
  /** Passages stored so far. */
  readonly stored: number;
  /** Words of the passages stored so far. */
  readonly words: number;
  /** Whether everything is stored. */
  readonly isWhole: boolean;
}

/** The vectors of one embedder for one document form. */
export interface Embedding {
  /** Of its table. */
  readonly number: number;
  readonly dimension: number;
  /** Whether every passage that has text has a vector. */
  readonly isWhole: boolean;
}

/** A row of the table `embeddings`. */
export function embeddingOf(row: Row): Embedding {
  return {
    number: Number(row["number"]),
    dimension: Number(row["dimension"]),
    isWhole: row["is_whole"] === true,
  };
}

/** Names of one index's tables, quoted. */
export interface IndexTables {
  /** Its schema, as given. */
  readonly schema: string;
  readonly corpus: string;
  readonly passages: string;
  readonly postings: string;
  readonly embeddings: string;
  readonly queries: string;
  /** The vectors of one embedder for one form of document. */
  vectors(embedding: number): string;
}

export function indexTables(schema: string): IndexTables {
  const table = (name: string): string => `${quoted(schema)}.${quoted(name)}`;
  return {
    schema,
    corpus: table("espalier_corpus"),
    passages: table("passages"),
    postings: table("postings"),
    embeddings: table("embeddings"),
    queries: table("queries"),
    vectors: (embedding) => table(`vectors_${embedding}`),
  };
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * `passages.number` follows the order of ids, so breaking ties by number breaks them by id.
 * `postings` holds the passages of one block of numbers that contain a stem, each packed as
 * `packedPosting` says.
 */
export async function makeIndexTables(tables: IndexTables, run: RunQuery): Promise<void> {
  await run(`CREATE SCHEMA IF NOT EXISTS ${quoted(tables.schema)}`);
  await run(`
    CREATE TABLE ${tables.corpus} (
      version int NOT NULL, checksum text NOT NULL, size int NOT NULL,
      stored int NOT NULL, words bigint NOT NULL, is_whole boolean NOT NULL
    )`);
  await run(`
    CREATE TABLE ${tables.passages} (
      number int PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, title text, text text NOT NULL,
      metadata json
    )`);
  await run(`
    CREATE TABLE ${tables.postings} (
      stem text COLLATE "C", block int, holders int NOT NULL, packed bigint[] NOT NULL,
      PRIMARY KEY (stem, block)
    )`);
  // Packed numbers do not compress, and trying takes time in building and searching.
  await run(`ALTER TABLE ${tables.postings} ALTER COLUMN packed SET STORAGE EXTERNAL`);
  await run(`
    CREATE TABLE ${tables.embeddings} (
      number int PRIMARY KEY, key text NOT NULL UNIQUE, provider text NOT NULL, model text NOT NULL,
      dimension int NOT NULL, is_whole boolean NOT NULL DEFAULT false
    )`);
  await run(`
    CREATE TABLE ${tables.queries} (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key bytea NOT NULL UNIQUE,
      vector bytea NOT NULL
    )`);
}

/** One process at a time writes to an index; the lock ends with the connection. */
export async function whileLocked<TResult>(
  run: RunQuery,
  { schema }: IndexTables,
  work: () => Promise<TResult>,
): Promise<TResult> {
  const name = [`espalier ${schema}`];
  await run("SELECT pg_advisory_lock(hashtextextended($1, 0))", name);
  const result = await work();
  await run("SELECT pg_advisory_unlock(hashtextextended($1, 0))", name);
  return result;
}

/** A failed transaction ends with its connection, which is then closed. */
export async function inOneTransaction<TResult>(
  run: RunQuery,
  work: () => Promise<TResult>,
): Promise<TResult> {
  await run("BEGIN");
  const result = await work();
  await run("COMMIT");
  return result;
}

/**
 * The corpus that a schema holds; `undefined` if there is none.
 *
 * @throws EspalierError `index-unusable` for an index of another version
 */
export async function heldCorpus(
  tables: IndexTables,
  run: RunQuery,
  where: string,
): Promise<HeldCorpus | undefined> {
  const [found] = await run("SELECT to_regclass($1) IS NOT NULL AS exists", [tables.corpus]);
  if (found?.["exists"] !== true) return undefined;
  const [row] = await run(`SELECT *, words::float8 AS word_count FROM ${tables.corpus}`);
  if (row === undefined) return undefined;
  if (row["version"] !== indexVersion) {
    throw new EspalierError({
      code: "index-unusable",
      problem: "The schema holds an index that this version cannot use",
      expected: `a version ${indexVersion} index`,
      got: `a version ${String(row["version"])} index`,
      where: `${where}, schema ${tables.schema}`,
      fix: "Drop the schema and rebuild the index, or choose another schema.",
    });
  }
  return {
    checksum: String(row["checksum"]),
    size: Number(row["size"]),
    stored: Number(row["stored"]),
    words: Number(row["word_count"]),
    isWhole: row["is_whole"] === true,
  };
}
