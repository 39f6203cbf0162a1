import { statSync } from "node:fs";
import type { Passage } from "../../contract/index.ts";
import { passageOfRecord } from "../corpus/passage-record.ts";
import type { IndexFile } from "./index-file.ts";
import { fts5Tokenizer, indexIdentity } from "./index-schema.ts";

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
