import type { Embedder, RankedPassage, Retriever } from "../../contract/index.ts";
import { checkedVectors } from "../../contract/index.ts";
import type { SingleFlight } from "../../internal/index.ts";
import { checkCount, contentHash, singleFlight } from "../../internal/index.ts";
import { defaultMaxCharacters } from "../corpus/document-text.ts";
import { embedPassages } from "./embed-passages.ts";
import type { IndexFileOptions } from "../index-file/index-file.ts";
import { openIndexFile } from "../index-file/index-file.ts";
import { passageOfRecord } from "../corpus/passage-record.ts";
import type { KeptVectors } from "./kept-vectors.ts";
import { keptVectors, vectorIn } from "./kept-vectors.ts";
import type { DatabaseSync } from "node:sqlite";
import { EspalierError } from "../../errors/index.ts";
import type { Embedding } from "./embed-passages.ts";

export interface DenseIndexOptions extends IndexFileOptions {
  readonly embedder: Embedder;
  /** Name in call paths and traces. @default "dense" */
  readonly name?: string;
  /** `cosine` ignores the length of vectors. @default "cosine" */
  readonly similarity?: "cosine" | "inner-product";
  /** Prefix of each query; some models are trained with one. @default "" */
  readonly queryPrefix?: string;
  /** Prefix of each document. @default "" */
  readonly documentPrefix?: string;
  /** Maximum number of embedded code points of a document; see `documentText`. @default 2000 */
  readonly maxCharacters?: number;
  /** Number of passages that are embedded and stored together. @default 64 */
  readonly batchSize?: number;
  /** Maximum number of concurrent batches. @default 4 */
  readonly concurrency?: number;
  /**
   * Maximum number of stored query vectors, at 4 bytes per number; beyond it the oldest are
   * removed. 0 stores none, for queries that must leave no trace. @default 100_000
   */
  readonly keptQueries?: number;
  readonly module?: string;
}

export interface DenseIndex extends Retriever, AsyncDisposable {
  /** Number of passages that can be found: those with text. */
  readonly size: number;
  /** Length of the vectors. */
  readonly dimension: number;
}

/**
 * Exact nearest neighbours by an embedder's vectors, all held in memory. The index file stores the
 * vectors separately for each embedder and document form, batch by batch: reopened after a kill or
 * with the same embedder, the index embeds only missing passages. A blank query returns no
 * passages; ties are ordered by id.
 *
 * The file also stores query vectors, by embedder and text but independent of corpus and document
 * form, each before it is used: a query repeated by any process needs no call to the embedder. Only
 * hashes of the texts are stored. A read-only file stores none.
 *
 * @example await using dense = await denseIndex({ path: "corpus.sqlite", corpus: "corpus.jsonl.gz",
 * embedder });
 * @throws EspalierError `embedding-invalid`; the embedder's errors; see also `openIndexFile`
 */
export async function denseIndex({
  embedder,
  name = "dense",
  similarity = "cosine",
  queryPrefix = "",
  documentPrefix = "",
  maxCharacters = defaultMaxCharacters,
  batchSize = 64,
  concurrency = 4,
  keptQueries = 100_000,
  module,
  ...fileOptions
}: DenseIndexOptions): Promise<DenseIndex> {
  checkCount("batchSize", batchSize);
  checkCount("concurrency", concurrency);
  checkCount("maxCharacters", maxCharacters);
  checkCount("keptQueries", keptQueries, 0);
  const file = await openIndexFile(fileOptions);
  try {
    const { onProgress, signal } = fileOptions;
    const document = { documentPrefix, maxCharacters };
    const embedding = await embedPassages(file, {
      embedder,
      ...document,
      batchSize,
      concurrency,
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(signal === undefined ? {} : { signal }),
    });
    const isNormalised = similarity === "cosine";
    const matrix = vectorMatrix(file.database, { ...embedding, isNormalised });
    const select = file.database.prepare("SELECT * FROM passages WHERE number = ?");
    const { dimension } = embedding;
    const queries = queryVectors(keptVectors(file, keptQueries), { embedder, dimension });
    const { provider, model } = embedder.identity;
    const { checksum } = file;
    const settings = { checksum, provider, model, similarity, queryPrefix, ...document };
    return {
      name,
      version: `1-${contentHash(settings).slice(0, 12)}`,
      ...(module === undefined ? {} : { module }),
      size: matrix.size,
      dimension,
      doRetrieve: async ({ query, k }, { signal }): Promise<readonly RankedPassage[]> => {
        checkCount("k", k);
        signal?.throwIfAborted();
        if (query.trim() === "") return [];
        const vector = await queries.of(queryPrefix + query, signal);
        signal?.throwIfAborted();
        return matrix.nearest(vector, k).map(({ number, score }) => {
          return { ...passageOfRecord(select.get(number) ?? {}), score };
        });
      },
      [Symbol.asyncDispose]: async () => {
        await queries.settle();
        await file[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
}

/** The vectors of queries, each requested only once. */
export interface QueryVectors {
  of(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Resolves when no write is in progress. */
  settle(): Promise<void>;
}

/**
 * Reads vectors from where they are kept, or gets them from the embedder and stores them before
 * use. Equal concurrent queries share one call, but not across processes.
 */
export function queryVectors(
  kept: KeptVectors,
  { embedder, dimension }: { readonly embedder: Embedder; readonly dimension: number },
): QueryVectors {
  const inFlight = new Map<string, SingleFlight<Float32Array>>();
  const checked = (vectors: readonly Float32Array[]): Float32Array =>
    checkedVectors(vectors, { embedder, count: 1, dimension })[0];
  const { provider, model } = embedder.identity;

  return {
    settle: () => kept.settle(),
    of: async (text, givenSignal) => {
      const hash = contentHash({ provider, model, text, format: 1 });
      const key = Buffer.from(hash, "hex");
      const read = kept.get(key);
      // Not awaited where it is at hand, so that an abort at once still reaches the embedder.
      const known = read instanceof Promise ? await read : read;
      if (known !== undefined) return checked([known]);
      const running = inFlight.get(hash);
      if (running !== undefined) return running.join(givenSignal);

      const ask = async (signal: AbortSignal | undefined): Promise<Float32Array> => {
        try {
          const reply = await embedder.doEmbed([text], signal === undefined ? {} : { signal });
          const vector = checked(reply.vectors);
          await kept.keep(key, vector);
          return vector;
        } finally {
          if (inFlight.get(hash) === call) inFlight.delete(hash);
        }
      };
      const call = singleFlight(ask, () => inFlight.delete(hash));
      inFlight.set(hash, call);
      return call.join(givenSignal);
    },
  };
}

interface Neighbour {
  /** `number` in the table `passages`. */
  readonly number: number;
  readonly score: number;
}

interface VectorMatrix {
  /** Number of vectors. */
  readonly size: number;
  /** The `k` vectors with the largest inner products, best first, ties by number. */
  nearest(query: Float32Array, k: number): readonly Neighbour[];
}

/**
 * Reads the vectors of one embedding into one array; with `isNormalised`, each has length 1 or 0.
 */
function vectorMatrix(
  database: DatabaseSync,
  { number: embedding, dimension, isNormalised }: Embedding & { readonly isNormalised: boolean },
): VectorMatrix {
  const select = database.prepare(
    "SELECT passage, vector FROM vectors WHERE embedding = ? ORDER BY passage",
  );
  const count = database.prepare("SELECT count(*) AS size FROM vectors WHERE embedding = ?");
  const size = Number(count.get(embedding)?.["size"]);
  const values = new Float32Array(size * dimension);
  const numbers = new Int32Array(size);
  let row = 0;
  for (const { passage, vector } of select.iterate(embedding)) {
    const held = vectorIn(vector);
    if (held?.length !== dimension) throw unusableVector(passage, dimension);
    values.set(isNormalised ? normalised(held) : held, row * dimension);
    numbers[row] = Number(passage);
    row++;
  }
  return {
    size,
    nearest: (given, k) => {
      const query = isNormalised ? normalised(given) : given;
      const best: Neighbour[] = [];
      let floor = Number.NEGATIVE_INFINITY;
      for (let row = 0; row < size; row++) {
        const score = innerProduct(values, row * dimension, query);
        if (score <= floor && best.length >= k) continue;
        insert(best, { number: numbers[row] ?? 0, score });
        if (best.length > k) best.pop();
        if (best.length === k) floor = best.at(-1)?.score ?? floor;
      }
      return best;
    },
  };
}

function unusableVector(passage: unknown, dimension: number): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "The index contains a vector that was not written when it was built",
    expected: `${dimension} numbers`,
    where: `passage number ${String(passage)}`,
    fix: "Remove the index and build it again.",
  });
}

function innerProduct(values: Float32Array, start: number, query: Float32Array): number {
  let sum = 0;
  // Within both arrays, so neither is `undefined`; a check in each step would take half of the
  // time.
  for (let index = 0; index < query.length; index++) {
    sum += (values[start + index] as number) * (query[index] as number);
  }
  return sum;
}

/** Inserts behind equal scores, so that ties stay in the order of numbers. */
function insert(best: Neighbour[], found: Neighbour): void {
  let index = best.length;
  while (index > 0 && (best[index - 1]?.score ?? 0) < found.score) index--;
  best.splice(index, 0, found);
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
