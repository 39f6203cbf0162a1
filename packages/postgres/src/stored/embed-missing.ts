import PQueue from "p-queue";
import type { Embedder } from "../../../../src/index.ts";
import type { IndexProgress } from "../../../../src/retrieval/index.ts";
import { checkedVectors, documentText, passageOfRecord } from "../../../../src/retrieval/index.ts";
import { EspalierError } from "../../../../src/errors/index.ts";
import { allOrAbort } from "../../../../src/internal/index.ts";
import type { Embedding, IndexTables } from "./index-tables.ts";
import { embeddingOf, inOneTransaction } from "./index-tables.ts";
import type { RunQuery } from "../server/postgres-pool.ts";

interface Document {
  /** `number` in the table `passages`. */
  readonly number: number;
  readonly text: string;
}

export interface EmbedOptions {
  readonly embedder: Embedder;
  readonly documentPrefix: string;
  readonly maxCharacters: number;
  readonly batchSize: number;
  readonly concurrency: number;
  /** Number of passages. */
  readonly size: number;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface EmbedMissingOptions extends EmbedOptions {
  /** Identifies embedder and form of documents. */
  readonly key: string;
  /** Schema of pgvector, quoted. */
  readonly extension: string;
}

/** Embeds and stores, batch by batch, what has no vector yet; the caller holds the lock. */
export async function embedMissing(
  run: RunQuery,
  tables: IndexTables,
  options: EmbedMissingOptions,
): Promise<Embedding> {
  const { embedder, batchSize, size, onProgress } = options;
  const [row] = await run(`SELECT * FROM ${tables.embeddings} WHERE key = $1`, [options.key]);
  let embedding = row && embeddingOf(row);
  if (embedding?.isWhole === true) return embedding;
  let done = embedding === undefined ? 0 : await countOf(run, tables.vectors(embedding.number));
  onProgress?.({ step: "embed", done, total: size });

  let making: Promise<Embedding> | undefined;
  const embed = async (batch: readonly Document[], signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const texts = batch.map(({ text }) => text);
    const { vectors } = await embedder.doEmbed(texts, { signal });
    const dimension = embedding?.dimension;
    const checked = checkedVectors(vectors, { embedder, count: batch.length, dimension });
    // The first batch tells how long vectors are.
    making ??=
      embedding === undefined
        ? makeTable(run, tables, checked[0].length, options)
        : Promise.resolve(embedding);
    embedding = await making;
    checkedVectors(checked, { embedder, count: batch.length, dimension: embedding.dimension });
    await run(
      `INSERT INTO ${tables.vectors(embedding.number)} (passage, vector)
       SELECT passage, vector::${options.extension}.vector
       FROM unnest($1::int[], $2::text[]) AS given(passage, vector) ON CONFLICT DO NOTHING`,
      [batch.map(({ number }) => number), checked.map(vectorText)],
    );
    done += batch.length;
    onProgress?.({ step: "embed", done, total: size });
  };
  const queue = new PQueue({ concurrency: options.concurrency });
  const { signal = new AbortController().signal } = options;
  for await (const page of missingPages(run, tables, () => embedding, options)) {
    const batches = Array.from({ length: Math.ceil(page.length / batchSize) }, (_, index) =>
      page.slice(index * batchSize, (index + 1) * batchSize),
    );
    await allOrAbort(batches, signal, (batch, either) => queue.add(() => embed(batch, either)));
  }
  if (embedding === undefined) throw nothingToEmbed(tables);
  await run(`UPDATE ${tables.embeddings} SET is_whole = true WHERE key = $1`, [options.key]);
  await run(`VACUUM ANALYZE ${tables.vectors(embedding.number)}`);
  onProgress?.({ step: "embed", done: size, total: size });
  return embedding;
}

/** pgvector's notation. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

/** In passage order, without passages that have no text, which are never embedded or found. */
async function* missingPages(
  run: RunQuery,
  tables: IndexTables,
  embedding: () => Embedding | undefined,
  { documentPrefix, maxCharacters }: EmbedMissingOptions,
): AsyncIterable<readonly Document[]> {
  for (let last = -1; ;) {
    const known = embedding();
    const missing =
      known === undefined
        ? ""
        : `AND NOT EXISTS (SELECT FROM ${tables.vectors(known.number)} WHERE passage = number)`;
    const rows = await run(
      `SELECT number, id, title, text, NULL AS metadata FROM ${tables.passages}
       WHERE number > $1 ${missing} ORDER BY number LIMIT ${rowsAtATime}`,
      [last],
    );
    if (rows.length === 0) return;
    last = Number(rows.at(-1)?.["number"]);
    yield rows.flatMap((row) => {
      const text = documentText(passageOfRecord(row), maxCharacters);
      return text === "" ? [] : [{ number: Number(row["number"]), text: documentPrefix + text }];
    });
  }
}

async function makeTable(
  run: RunQuery,
  tables: IndexTables,
  dimension: number,
  { key, embedder, extension }: EmbedMissingOptions,
): Promise<Embedding> {
  return inOneTransaction(run, async () => {
    const [row = {}] = await run(
      `INSERT INTO ${tables.embeddings} (number, key, provider, model, dimension)
       SELECT coalesce(max(number), 0) + 1, $1, $2, $3, $4 FROM ${tables.embeddings} RETURNING *`,
      [key, embedder.identity.provider, embedder.identity.model, dimension],
    );
    const made = embeddingOf(row);
    const table = tables.vectors(made.number);
    await run(
      `CREATE TABLE ${table} (passage int PRIMARY KEY, vector ${extension}.vector(${dimension}) NOT NULL)`,
    );
    await run(`ALTER TABLE ${table} ALTER COLUMN vector SET STORAGE PLAIN`);
    return made;
  });
}

async function countOf(run: RunQuery, table: string): Promise<number> {
  const [row] = await run(`SELECT count(*)::int AS value FROM ${table}`);
  return Number(row?.["value"]);
}

function nothingToEmbed({ schema }: IndexTables): EspalierError {
  return new EspalierError({
    code: "corpus-invalid",
    problem: "No passage in the corpus has text to embed",
    where: `schema ${schema}`,
  });
}

const rowsAtATime = 4_096;
