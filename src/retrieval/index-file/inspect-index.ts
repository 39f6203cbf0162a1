import type { Passage } from "../../contract/index.ts";
import type { IndexFile } from "./index-file.ts";
import { indexIdentity, tokenizer } from "./index-schema.ts";
import { passageOf } from "../corpus/passage-record.ts";

/** The content of an index file. */
export interface IndexReport {
  readonly path: string;
  readonly version: number;
  /** FTS5's name of the tokenizer. */
  readonly tokenizer: string;
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Number of passages. */
  readonly size: number;
  /** Passages with a title. */
  readonly titled: number;
  /** Distinct stems. */
  readonly stems: number;
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
  const examples = database.prepare("SELECT * FROM passages ORDER BY number LIMIT ?");
  return {
    path,
    version: indexIdentity.version,
    tokenizer,
    checksum,
    size,
    titled: count("SELECT count(*) AS value FROM passages WHERE title IS NOT NULL"),
    stems: count("SELECT count(*) AS value FROM vocabulary"),
    embeddings: embeddings.all().map((row) => ({
      provider: String(row["provider"]),
      model: String(row["model"]),
      dimension: Number(row["dimension"]),
      embedded: Number(row["embedded"]),
    })),
    examples: examples.all(exampleCount).map(passageOf),
  };
}
