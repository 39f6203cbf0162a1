import type { Embedder, RankedPassage, Retriever } from "../../contract/index.ts";
import { checkCount, contentHash } from "../../internal/index.ts";
import { defaultMaxCharacters } from "../corpus/document-text.ts";
import { embedPassages } from "./embed-passages.ts";
import type { IndexFileOptions } from "../index-file/index-file.ts";
import { openIndexFile } from "../index-file/index-file.ts";
import { passageOf } from "../corpus/passage-record.ts";
import { queryVectors } from "./query-vectors.ts";
import { vectorMatrix } from "./vector-matrix.ts";

export interface DenseIndexOptions extends IndexFileOptions {
  readonly embedder: Embedder;
  /** Name in call paths and traces. @default "dense" */
  readonly name?: string;
  /** `cosine` ignores the length of vectors. @default "cosine" */
  readonly similarity?: "cosine" | "inner-product";
  /** Put before each query; some models are trained with one. @default "" */
  readonly queryPrefix?: string;
  /** Put before each document. @default "" */
  readonly documentPrefix?: string;
  /** Code points of a document that are embedded; see `documentText`. @default 2000 */
  readonly maxCharacters?: number;
  /** Passages embedded, and then kept, together. @default 64 */
  readonly batchSize?: number;
  /** Batches at a time. @default 4 */
  readonly concurrency?: number;
  /**
   * Vectors of queries in the file at most, 4 bytes for each of their numbers; beyond it the ones that
   * came first go. 0 keeps none, for queries that must leave no trace. @default 100_000
   */
  readonly keptQueries?: number;
  readonly module?: string;
}

export interface DenseIndex extends Retriever, AsyncDisposable {
  /** Number of passages that can be found: those with any text. */
  readonly size: number;
  /** Length of the vectors. */
  readonly dimension: number;
}

/**
 * Exact nearest neighbours by an embedder's vectors, all kept in memory. The vectors stand in the
 * index file, for each embedder and form of document apart, and are written batch by batch: opened
 * again after a kill or with the same embedder, the index embeds only what is missing. A query
 * without any character but white space returns no passage; ties stand by id.
 *
 * The vectors of queries are kept in the file too, by embedder and text and not by corpus or form of
 * document, each before it is used: asked again by any process, a query costs no call of the embedder.
 * Texts are kept as hashes only. A file that cannot be written keeps none.
 *
 * @example
 * await using dense = await denseIndex({ path: "corpus.sqlite", corpus: "corpus.jsonl.gz", embedder });
 * @throws EspalierError `embedding-invalid`; what the embedder throws; see also `openIndexFile`
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
    const queries = queryVectors(file, { embedder, dimension, limit: keptQueries });
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
          return { ...passageOf(select.get(number) ?? {}), score };
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
