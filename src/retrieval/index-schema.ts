import type { DatabaseSync } from "node:sqlite";

/** FTS5's Porter stemmer over Unicode words, letter case and diacritics ignored. */
export const tokenizer = "porter unicode61";

/**
 * Tables of an index file. `passages.number` follows the order of ids, so that ties broken by it are
 * ties broken by id. The vectors of one embedder, for one form of document text, share an
 * `embedding`.
 */
const tables = `
  CREATE TABLE corpus (checksum TEXT NOT NULL, size INTEGER NOT NULL);
  CREATE TABLE passages (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT, text TEXT NOT NULL, metadata TEXT
  );
  CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize='${tokenizer}');
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
 * Vectors of queries, by a hash of embedder and text; `number` follows the order in which they came.
 * Made when the first is kept, so that files without it stay usable, read-only ones too.
 */
export const queryTable = `
  CREATE TABLE IF NOT EXISTS queries (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL
  )
`;

/** "esix" in ASCII; tells our files from other SQLite files. */
const applicationId = 0x65736978;
/** Changes with the tables and with whatever decides what a search finds. */
const version = 1;

export const indexSchema: {
  readonly applicationId: number;
  readonly version: number;
  create(database: DatabaseSync): void;
  found(database: DatabaseSync): { applicationId: number; version: number; tables: number };
} = Object.freeze({
  applicationId,
  version,
  create: (database: DatabaseSync) => {
    database.exec(
      `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; ${tables}`,
    );
  },
  found: (database: DatabaseSync) => ({
    applicationId: numberFrom(database, "PRAGMA application_id"),
    version: numberFrom(database, "PRAGMA user_version"),
    tables: numberFrom(database, "SELECT count(*) FROM sqlite_master"),
  }),
});

function numberFrom(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}
