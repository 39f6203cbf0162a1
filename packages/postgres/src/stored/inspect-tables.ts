import type { IndexContents } from "../../../../src/retrieval/index.ts";
import { passageOfRecord } from "../../../../src/retrieval/index.ts";
import type { Row, RunQuery } from "../server/postgres-pool.ts";
import type { HeldCorpus, IndexTables } from "./index-tables.ts";
import { embeddingOf, indexVersion } from "./index-tables.ts";

/** The content of an index in PostgreSQL. */
export interface PostgresReport extends IndexContents {
  /** Host, port and database. */
  readonly server: string;
  readonly schema: string;
  readonly version: number;
  /** Distinct stems. */
  readonly stems: number;
}

export async function inspectTables(
  tables: IndexTables,
  { checksum, size }: HeldCorpus,
  {
    run,
    server,
    exampleCount = 3,
  }: {
    readonly run: RunQuery;
    readonly server: string;
    readonly exampleCount?: number;
  },
): Promise<PostgresReport> {
  const { schema, corpus, passages, postings, queries } = tables;
  const count = async (sql: string, values?: readonly unknown[]): Promise<number> =>
    Number((await run(`SELECT (${sql})::float8 AS value`, values))[0]?.["value"]);
  const embeddings = await run(`SELECT * FROM ${tables.embeddings} ORDER BY number`);
  const ofVectors = embeddings.map((row) => tables.vectors(embeddingOf(row).number));
  const fields = await run(`
    SELECT key, count(*)::float8 AS holders FROM ${passages}, json_object_keys(metadata) AS key
    GROUP BY key ORDER BY key`);
  const examples = await run(`
    SELECT id, title, text, metadata::text AS metadata FROM ${passages}
    ORDER BY number LIMIT ${exampleCount}`);
  return {
    server,
    schema,
    version: indexVersion,
    checksum,
    size,
    titled: await count(`SELECT count(*) FROM ${passages} WHERE title IS NOT NULL`),
    stems: await count(`SELECT count(DISTINCT stem) FROM ${postings}`),
    fields: Object.fromEntries(fields.map(({ key, holders }) => [String(key), Number(holders)])),
    // The schema may hold tables of others.
    bytes: await count(
      "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name",
      [[corpus, passages, postings, tables.embeddings, queries, ...ofVectors]],
    ),
    embeddings: await Promise.all(
      embeddings.map(async (row: Row, index) => ({
        provider: String(row["provider"]),
        model: String(row["model"]),
        dimension: embeddingOf(row).dimension,
        embedded: await count(`SELECT count(*) FROM ${ofVectors[index]}`),
      })),
    ),
    examples: examples.map((row) => passageOfRecord(row)),
  };
}
