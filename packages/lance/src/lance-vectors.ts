import type { Table } from "@lancedb/lancedb";
import PQueue from "p-queue";
import type { Embedder } from "../../../src/index.ts";
import type { IndexProgress } from "../../../src/retrieval/index.ts";
import { checkedVectors, documentText, passageOfRecord } from "../../../src/retrieval/index.ts";
import { EspalierError } from "../../../src/errors/index.ts";
import { allOrAbort, contentHash, once } from "../../../src/internal/index.ts";
import type { LanceConnection } from "./lance-connection.ts";
import { addedRows, whileLocked } from "./lance-builder.ts";
import { embeddingsTable } from "./inspect-lance.ts";
import { orUnusable } from "./lance-connection.ts";
import type { LancePassages } from "./lance-passages.ts";

export interface LanceVectorsOptions {
  readonly embedder: Embedder;
  readonly documentPrefix: string;
  readonly maxCharacters: number;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LanceVectors {
  readonly table: Table;
  readonly dimension: number;
}

/**
 * Embeds the passages that have no vector yet, stores them some thousand at a time, and builds a
 * graph of near vectors (HNSW, 8 bits a number) where there are many. One process works; in a
 * folder, others wait for it.
 */
export async function lanceVectors(
  place: LanceConnection,
  passages: LancePassages,
  options: LanceVectorsOptions,
): Promise<LanceVectors> {
  const { embedder, documentPrefix, maxCharacters } = options;
  const key = contentHash({ ...embedder.identity, documentPrefix, maxCharacters, format: 1 });
  const name = `vectors_${key.slice(0, 16)}`;
  const known = await wholeVectors(place, passages, name, options);
  return (
    known ?? whileLocked(place, options.signal, () => embedMissing(place, passages, name, options))
  );
}

/** `undefined` where something is missing. */
async function wholeVectors(
  place: LanceConnection,
  passages: LancePassages,
  name: string,
  options: LanceVectorsOptions,
): Promise<LanceVectors | undefined> {
  const table = await place.find(name);
  const dimension = await dimensionOf(table);
  if (table === undefined || dimension === undefined) return undefined;
  for (let start = 0; start < passages.size; start += rowsAtATime) {
    const missing = await missingDocuments(passages, table, start, options);
    if (missing.length > 0) return undefined;
  }
  return (await lacksGraph(table)) ? undefined : { table, dimension };
}

async function dimensionOf(table: Table | undefined): Promise<number | undefined> {
  const [first] = (await table?.query().limit(1).toArray()) ?? [];
  return first === undefined ? undefined : (first["vector"] as ArrayLike<number>).length;
}

async function lacksGraph(table: Table): Promise<boolean> {
  const indexed = (await table.listIndices()).flatMap(({ columns }) => columns);
  return !indexed.includes("vector") && (await table.countRows()) >= minRowsForGraph;
}

async function embedMissing(
  place: LanceConnection,
  passages: LancePassages,
  name: string,
  options: LanceVectorsOptions,
): Promise<LanceVectors> {
  const { embedder, onProgress } = options;
  const { size } = passages;
  let table = await place.find(name);
  let dimension = await dimensionOf(table);
  let done = (await table?.countRows()) ?? 0;
  const note = once(async () => {
    if (dimension !== undefined) {
      await noteEmbedding(place, { name, ...embedder.identity, dimension });
    }
  });
  const queue = new PQueue({ concurrency: options.concurrency });
  const { signal = new AbortController().signal } = options;
  for (let start = 0; start < size; start += rowsAtATime) {
    onProgress?.({ step: "embed", done, total: size });
    const missing = await missingDocuments(passages, table, start, options);
    const batches = Array.from(
      { length: Math.ceil(missing.length / options.batchSize) },
      (_, index) => missing.slice(index * options.batchSize, (index + 1) * options.batchSize),
    );
    const embedded = await allOrAbort(batches, signal, (batch, either) =>
      queue.add(async () => {
        either.throwIfAborted();
        const texts = batch.map(({ text }) => text);
        const { vectors } = await embedder.doEmbed(texts, { signal: either });
        const checked = checkedVectors(vectors, { embedder, count: batch.length, dimension });
        dimension = checked[0].length;
        return batch.map(({ number }, index) => ({
          number,
          vector: Array.from(checked[index] ?? checked[0]),
        }));
      }),
    );
    const rows = embedded.flat();
    if (rows.length === 0) continue;
    table = await addedRows(place, table, rows, { name, known: done });
    done += rows.length;
    await note();
  }
  if (table === undefined || dimension === undefined) {
    throw new EspalierError({
      code: "corpus-invalid",
      problem: "No passage in the corpus has text to embed",
      where: place.where,
    });
  }
  const whole = table;
  await note();
  onProgress?.({ step: "embed", done: size, total: size });
  await orUnusable(place.where, async () => {
    if (!(await lacksGraph(whole))) return;
    // Takes most of the time of a large corpus, and tells nothing on the way.
    onProgress?.({ step: "link", done: 0, total: size });
    await whole.optimize();
    const config = place.lance.Index.hnswSq({ distanceType: "cosine", numPartitions: 1 });
    await whole.createIndex("vector", { config });
    onProgress?.({ step: "link", done: size, total: size });
  });
  return { table: whole, dimension };
}

/** For whoever inspects the index: a table's name is a hash. */
async function noteEmbedding(
  place: LanceConnection,
  note: {
    readonly name: string;
    readonly provider: string;
    readonly model: string;
    readonly dimension: number;
  },
): Promise<void> {
  const { name, provider, model, dimension } = note;
  const row = { name, provider, model, dimension };
  await orUnusable(place.where, async () => {
    const noted = await place.find(embeddingsTable);
    if (noted === undefined) await place.connection.createTable(embeddingsTable, [row]);
    else if ((await noted.countRows(`name = '${name}'`)) === 0) await noted.add([row]);
  });
}

interface Document {
  readonly number: number;
  readonly text: string;
}

/** Of one range of numbers, without passages that have no text. */
async function missingDocuments(
  { table: passages }: LancePassages,
  vectors: Table | undefined,
  start: number,
  { documentPrefix, maxCharacters }: LanceVectorsOptions,
): Promise<readonly Document[]> {
  const range = `number >= ${start} AND number < ${start + rowsAtATime}`;
  const held = new Set<number>();
  for (const row of (await vectors?.query().where(range).select(["number"]).toArray()) ?? []) {
    held.add(Number(row["number"]));
  }
  if (held.size === rowsAtATime) return [];
  const columns = ["number", "id", "title", "text"];
  const rows = await passages.query().where(range).select(columns).toArray();
  return rows.flatMap((row) => {
    const number = Number(row["number"]);
    const passage = passageOfRecord({
      ...row,
      text: row["text"],
      title: row["title"],
      metadata: null,
    });
    const text = documentText(passage, maxCharacters);
    return text === "" || held.has(number) ? [] : [{ number, text: documentPrefix + text }];
  });
}

const rowsAtATime = 4_096;
/** Below, comparing every vector takes a few milliseconds. */
const minRowsForGraph = 10_000;
