import type { DatabaseSync } from "node:sqlite";
import PQueue from "p-queue";
import type { Embedder } from "../../contract/index.ts";
import { checkedVectors } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { allOrAbort, contentHash } from "../../internal/index.ts";
import { inTransaction, whenUnlocked } from "../../storage/index.ts";
import { documentText } from "../corpus/document-text.ts";
import type { IndexFile } from "../index-file/index-file.ts";
import type { IndexProgress } from "../index-file/index-progress.ts";
import { passageOfRecord } from "../corpus/passage-record.ts";

export interface EmbedPassagesOptions {
  readonly embedder: Embedder;
  readonly documentPrefix: string;
  readonly maxCharacters: number;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly signal?: AbortSignal;
}

/** The vectors of one embedder for one document form. */
export interface Embedding {
  /** `embedding` in the table `vectors`. */
  readonly number: number;
  readonly dimension: number;
}

interface Document {
  /** `number` in the table `passages`. */
  readonly number: number;
  readonly text: string;
}

/**
 * Embeds the passages of an index that have no vector yet. Stores every batch that was paid for.
 */
export async function embedPassages(
  { database, size, path }: IndexFile,
  options: EmbedPassagesOptions,
): Promise<Embedding> {
  const { embedder, batchSize, onProgress } = options;
  const key = contentHash({
    ...embedder.identity,
    documentPrefix: options.documentPrefix,
    maxCharacters: options.maxCharacters,
    format: 1,
  });
  let embedding = knownEmbedding(database, key);
  const pending = missingDocuments(database, embedding, options);
  let done = size - pending.length;
  if (pending.length > 0) onProgress?.({ step: "embed", done, total: size });

  const embed = async (batch: readonly Document[], signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const { vectors } = await embedder.doEmbed(
      batch.map(({ text }) => text),
      { signal },
    );
    const dimension = embedding?.dimension;
    const checked = checkedVectors(vectors, { embedder, count: batch.length, dimension });
    embedding = await whenUnlocked(database, () =>
      store(database, { embedder, key, batch, vectors: checked }),
    );
    done += batch.length;
    onProgress?.({ step: "embed", done, total: size });
  };
  const batches = Array.from({ length: Math.ceil(pending.length / batchSize) }, (_, index) =>
    pending.slice(index * batchSize, (index + 1) * batchSize),
  );
  const queue = new PQueue({ concurrency: options.concurrency });
  const { signal = new AbortController().signal } = options;
  // Settles only when no batch is being stored any more: the connection must stay open until then.
  await allOrAbort(batches, signal, (batch, either) => queue.add(() => embed(batch, either)));
  if (embedding !== undefined) return embedding;
  throw new EspalierError({
    code: "corpus-invalid",
    problem: "No passage of the corpus has text to embed",
    where: path,
  });
}

function knownEmbedding(database: DatabaseSync, key: string): Embedding | undefined {
  const row = database.prepare("SELECT number, dimension FROM embeddings WHERE key = ?").get(key);
  if (row === undefined) return undefined;
  return { number: Number(row["number"]), dimension: Number(row["dimension"]) };
}

/** In passage order, without passages that have no text, which are never embedded or found. */
function missingDocuments(
  database: DatabaseSync,
  embedding: Embedding | undefined,
  { documentPrefix, maxCharacters }: EmbedPassagesOptions,
): Document[] {
  const select = database.prepare(`
    SELECT * FROM passages WHERE number NOT IN (SELECT passage FROM vectors WHERE embedding = ?)
    ORDER BY number
  `);
  return select.all(embedding?.number ?? -1).flatMap((row) => {
    const text = documentText(passageOfRecord(row), maxCharacters);
    return text === "" ? [] : [{ number: Number(row["number"]), text: documentPrefix + text }];
  });
}

/** Stores one batch in one transaction; the first also stores the embedding's own row. */
function store(
  database: DatabaseSync,
  {
    embedder,
    key,
    batch,
    vectors,
  }: {
    readonly embedder: Embedder;
    readonly key: string;
    readonly batch: readonly Document[];
    readonly vectors: readonly [Float32Array, ...Float32Array[]];
  },
): Embedding {
  return inTransaction(database, () => {
    database
      .prepare(
        "INSERT OR IGNORE INTO embeddings (key, provider, model, dimension) VALUES (?, ?, ?, ?)",
      )
      .run(key, embedder.identity.provider, embedder.identity.model, vectors[0].length);
    const embedding = knownEmbedding(database, key) ?? { number: -1, dimension: 0 };
    // Another batch or process may already have stored vectors of a different length.
    checkedVectors(vectors, { embedder, count: batch.length, dimension: embedding.dimension });
    const insert = database.prepare(
      "INSERT OR IGNORE INTO vectors (embedding, passage, vector) VALUES (?, ?, ?)",
    );
    for (const [index, { number }] of batch.entries()) {
      const { buffer, byteOffset, byteLength } = vectors[index] ?? vectors[0];
      insert.run(embedding.number, number, new Uint8Array(buffer, byteOffset, byteLength));
    }
    return embedding;
  });
}
