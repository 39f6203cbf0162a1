import type { DatabaseSync } from "node:sqlite";
import type { SqliteIdentity } from "../../storage/index.ts";
import { markAs } from "../../storage/index.ts";

/** FTS5's Porter stemmer over Unicode words, ignoring letter case and diacritics. */
export const fts5Tokenizer = "porter unicode61";

/**
 * Tables of an index file. `passages.number` follows the order of ids, so breaking ties by number
 * breaks them by id. The vectors of one embedder, for one form of document text, share an
 * `embedding`.
 */
const tables = `
  CREATE TABLE corpus (checksum TEXT NOT NULL, size INTEGER NOT NULL);
  CREATE TABLE passages (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT, text TEXT NOT NULL, metadata TEXT
  );
  CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize='${fts5Tokenizer}');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
  CREATE TABLE embeddings (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, provider TEXT NOT NULL, model TEXT NOT NULL,
    dimension INTEGER NOT NULL
  );
  CREATE TABLE vectors (
    embedding INTEGER NOT NULL, passage INTEGER NOT NULL, vector BLOB NOT NULL,
    UNIQUE (embedding, passage)
  );
`;

/**
 * Vectors of queries, by a hash of embedder and text; `number` follows their order of arrival.
 * Created with the first vector, so that files without it stay usable, including read-only ones.
 */
export const queryTable = `
  CREATE TABLE IF NOT EXISTS queries (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL
  )
`;

/** Distinguishes our files from other SQLite files. */
export const indexIdentity: SqliteIdentity = Object.freeze({
  /** "esix" in ASCII. */
  applicationId: 0x65736978,
  /** Increases with changes to the tables or to anything that affects search results. */
  version: 1,
});

/** Makes the tables of an index file in an empty database. */
export function makeIndexTables(database: DatabaseSync): void {
  markAs(database, indexIdentity);
  database.exec(tables);
}
