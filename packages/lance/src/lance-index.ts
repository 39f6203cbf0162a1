import type { Embedder, Passage, RankedPassage, Retriever } from "../../../src/index.ts";
import type { CorpusSource, IndexProgress, KeptVectors } from "../../../src/retrieval/index.ts";
import {
  defaultMaxCharacters,
  hybrid,
  loadCorpus,
  queryVectors,
  queryWords,
} from "../../../src/retrieval/index.ts";
import { checkCount, contentHash, orAborted } from "../../../src/internal/index.ts";
import type { LanceReport, Row } from "./inspect-lance.ts";
import { inspectLance, storedPassage } from "./inspect-lance.ts";
import { lanceConnection, orUnusable } from "./lance-connection.ts";
import type { LancePassages } from "./lance-passages.ts";
import { lancePassages } from "./lance-passages.ts";
import { lanceVectors } from "./lance-vectors.ts";

export interface LanceIndexOptions {
  /** A folder, created if absent, or a place in an object store: `s3://bucket/towns`. */
  readonly uri: string;
  /** Credentials and region of the store, as LanceDB takes them; not part of `version`. */
  readonly storageOptions?: Readonly<Record<string, string>>;
  /**
   * What to index. A place that already holds this corpus, by checksum, is used unchanged, or
   * completed; one with another corpus is an error. @default the place's corpus
   */
  readonly corpus?: CorpusSource;
  /** Makes the index able to search by vectors. @default none */
  readonly embedder?: Embedder;
  /** Name in call paths and traces. @default "lance" */
  readonly name?: string;
  /** As for `denseIndex`. @default "" */
  readonly queryPrefix?: string;
  /** As for `denseIndex`. @default "" */
  readonly documentPrefix?: string;
  /** As for `denseIndex`. @default 2000 */
  readonly maxCharacters?: number;
  /** Number of passages that are embedded together. @default 64 */
  readonly batchSize?: number;
  /** Maximum number of concurrent batches. @default 4 */
  readonly concurrency?: number;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Aborts the build; what is stored is kept. */
  readonly signal?: AbortSignal;
  readonly module?: string;
}

export interface LanceIndex extends Retriever, AsyncDisposable {
  /** Number of passages. */
  readonly size: number;
  /** The corpus's checksum. */
  readonly checksum: string;
  /** What it holds; reads every passage's metadata. */
  inspect(): Promise<LanceReport>;
  /** Searches by words. */
  readonly keyword: Retriever;
  /** Searches by vectors and cosine, with an embedder. */
  readonly dense?: Retriever;
}

/**
 * Passages in LanceDB, embedded in the process, in a folder or an object store. Keyword search is
 * LanceDB's BM25 with its own tokenizer and English stemmer over title and text, so its scores are
 * not those of `bm25Index`; vectors are compared exactly below 10,000 passages and through an HNSW
 * graph above. The index itself is the hybrid of both, or without an embedder the keyword search.
 *
 * Goes on where a killed build ended. One process builds at a time: in a folder others wait for it,
 * in an object store, which has no locks, a second builder is refused when it is noticed.
 * Ties are ordered by id. Vectors of queries are kept in memory alone, 1,000 of them. An abort does
 * not end a search that runs, but its result is dropped.
 *
 * Needs the packages `@lancedb/lancedb` and `apache-arrow`, 210 MB.
 *
 * @example await using index = await lanceIndex({ uri: "s3://bucket/towns", corpus, embedder });
 * @throws EspalierError `part-missing` without the package; `index-unusable`; and the errors of
 * reading a corpus and of the embedder
 */
export async function lanceIndex({
  uri,
  storageOptions = {},
  corpus: source,
  embedder,
  name = "lance",
  queryPrefix = "",
  documentPrefix = "",
  maxCharacters = defaultMaxCharacters,
  batchSize = 64,
  concurrency = 4,
  onProgress,
  signal,
  module,
}: LanceIndexOptions): Promise<LanceIndex> {
  checkCount("batchSize", batchSize);
  checkCount("concurrency", concurrency);
  checkCount("maxCharacters", maxCharacters);
  const corpus = source === undefined ? undefined : await loadCorpus(source, signal);
  const place = await lanceConnection(uri, storageOptions);
  const passages = await lancePassages(place, corpus, { onProgress, signal });
  const { table, checksum, size } = passages;
  const about = (settings: object) => ({
    name,
    version: `1-${contentHash({ checksum, ...settings }).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
  });
  const keyword: Retriever = {
    ...about({ by: "keyword" }),
    doRetrieve: async ({ query, k }, { signal: given }) => {
      checkCount("k", k);
      given?.throwIfAborted();
      const words = queryWords(query).join(" ");
      if (words === "") return [];
      const match = new place.lance.MatchQuery(words, "document");
      const search = (limit: number) =>
        table
          .query()
          .fullTextSearch(match)
          .select(["number", "id", "title", "text", "metadata", "_score"])
          .limit(limit)
          .toArray();
      const found = wholeTies(k, async (limit) =>
        (await search(limit)).map((row: Row) => ({ row, score: Number(row["_score"]) })),
      );
      const rows = await orAborted(
        orUnusable(uri, () => found),
        given,
      );
      return rows.map(({ row, score }) => ({ ...storedPassage(row), score }));
    },
  };
  const inspect = (): Promise<LanceReport> => inspectLance(place, passages);
  const close = {
    size,
    checksum,
    inspect,
    [Symbol.asyncDispose]: async () => place.connection.close(),
  };
  if (embedder === undefined) return { ...keyword, ...close, keyword };

  const document = { documentPrefix, maxCharacters };
  const vectors = await lanceVectors(place, passages, {
    embedder,
    ...document,
    batchSize,
    concurrency,
    onProgress,
    signal,
  });
  const queries = queryVectors(vectorsInMemory(1_000), { embedder, dimension: vectors.dimension });
  const dense: Retriever = {
    ...about({ by: "dense", ...embedder.identity, queryPrefix, ...document }),
    doRetrieve: async ({ query, k }, { signal: given }) => {
      checkCount("k", k);
      given?.throwIfAborted();
      if (query.trim() === "") return [];
      const vector = await queries.of(queryPrefix + query, given);
      const search = (limit: number) =>
        vectors.table
          .query()
          .nearestTo(vector)
          .distanceType("cosine")
          .ef(Math.max(100, 2 * limit))
          // Compares the nearest once more with all bits.
          .refineFactor(2)
          .select(["number", "_distance"])
          .limit(limit)
          .toArray();
      const found = wholeTies(k, async (limit) =>
        (await search(limit)).map((row: Row) => ({ row, score: cosineOf(row["_distance"]) })),
      );
      const near = await orAborted(
        orUnusable(uri, () => found),
        given,
      );
      const byNumber = await orAborted(
        orUnusable(uri, () => passagesOf(passages, near)),
        given,
      );
      return near.flatMap(({ row, score }): RankedPassage[] => {
        const passage = byNumber.get(Number(row["number"]));
        return passage === undefined ? [] : [{ ...passage, score }];
      });
    },
  };
  const both = hybrid({
    retrievers: [keyword, dense],
    name,
    ...(module === undefined ? {} : { module }),
  });
  return { ...both, ...close, keyword, dense };
}

interface Scored {
  readonly row: Row;
  readonly score: number;
}

/**
 * The k best, ties by number. LanceDB orders ties as it likes and cuts through them, so more are
 * asked for until the last is behind the k-th.
 */
async function wholeTies(
  k: number,
  search: (limit: number) => Promise<readonly Scored[]>,
): Promise<readonly Scored[]> {
  for (let limit = k + 16; ; limit *= 4) {
    const found = (await search(limit)).toSorted(
      (left, right) =>
        right.score - left.score || Number(left.row["number"]) - Number(right.row["number"]),
    );
    const last = found.at(-1)?.score ?? 0;
    if (found.length < limit || last < (found[k - 1]?.score ?? 0)) return found.slice(0, k);
  }
}

/** A vector of length 0 has no direction. */
function cosineOf(distance: unknown): number {
  const cosine = 1 - Number(distance);
  return Number.isFinite(cosine) ? cosine : 0;
}

async function passagesOf(
  { table }: LancePassages,
  found: readonly Scored[],
): Promise<ReadonlyMap<number, Passage>> {
  if (found.length === 0) return new Map();
  const numbers = found.map(({ row }) => Number(row["number"])).join(", ");
  const rows = await table.query().where(`number IN (${numbers})`).limit(found.length).toArray();
  return new Map(rows.map((row: Row) => [Number(row["number"]), storedPassage(row)]));
}

function vectorsInMemory(limit: number): KeptVectors {
  const kept = new Map<string, Float32Array>();
  const nameOf = (key: Uint8Array): string => Buffer.from(key).toString("hex");
  return {
    get: (key) => kept.get(nameOf(key)),
    keep: async (key, vector) => {
      kept.set(nameOf(key), vector);
      const [oldest] = kept.keys();
      if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
    },
    settle: async () => undefined,
  };
}
