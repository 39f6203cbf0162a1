import type { RankedPassage, Retriever } from "../../../src/index.ts";
import type { QueryVectors, Stemmer } from "../../../src/retrieval/index.ts";
import {
  loadCorpus,
  passageOfRecord,
  queryVectors,
  queryWords,
  reciprocalRankFusion,
  stemmer,
} from "../../../src/retrieval/index.ts";
import { EspalierError } from "../../../src/errors/index.ts";
import { canonicalJson, checkCount, contentHash } from "../../../src/internal/index.ts";
import { withDefaults } from "./stored/build-graph.ts";
import { vectorText } from "./stored/embed-missing.ts";
import type { HeldCorpus, IndexTables } from "./stored/index-tables.ts";
import { heldCorpus, indexTables } from "./stored/index-tables.ts";
import { inspectTables } from "./stored/inspect-tables.ts";
import { keptQueryVectors } from "./stored/kept-query-vectors.ts";
import { countedStems } from "./search/keyword-sql.ts";
import type {
  PostgresIndex,
  PostgresIndexOptions,
  PostgresRetrieverOptions,
} from "./postgres-options.ts";
import type { SettledOptions } from "./postgres-options.ts";
import { settledOptions } from "./postgres-options.ts";
import type { PostgresPool, RunQuery } from "./server/postgres-pool.ts";
import { postgresPool } from "./server/postgres-pool.ts";
import type { VectorPlace } from "./stored/vector-place.ts";
import { searchStatement } from "./search/search-sql.ts";
import { refuseAnother, storePassages } from "./stored/store-passages.ts";
import { storeVectors } from "./stored/store-vectors.ts";

/**
 * Passages in PostgreSQL, one corpus in a schema: BM25 with the words, stems and constants of
 * `bm25Index`, computed in SQL from tables of its own and not with `tsvector`; and with an
 * `embedder` pgvector's HNSW graph, and both fused, each search one statement. Without an embedder
 * it needs no extension.
 *
 * Builds block by block and goes on where a killed build ended; with the same corpus it is used
 * unchanged. Ties are ordered by id; a blank query returns nothing. U+0000, which PostgreSQL cannot
 * store, becomes U+FFFD. A graph is built with random layers: two builds of the same corpus may
 * find other neighbours.
 *
 * @example
 * await using index = await postgresIndex({ url: "postgres://localhost/towns", corpus, embedder });
 * const keywords = index.retriever({ by: "keyword", filter: { collection: "harbours" } });
 * @throws EspalierError `index-unusable` for a schema of another corpus or version, or without
 * pgvector; `search-refused` for a wrong password, a missing database or privilege; `search-failed`
 * if the server is down or too slow; and the errors of reading a corpus and of the embedder
 */
export async function postgresIndex(given: PostgresIndexOptions): Promise<PostgresIndex> {
  const options = settledOptions(given);
  const tables = indexTables(options.schema);
  const pool = postgresPool({
    ...options,
    settings: {
      // Hash tables of searches with frequent words, 20 MB for 250,000 passages, stay in memory.
      work_mem: "64MB",
      // Compiling takes longer than a search.
      jit: "off",
      "hnsw.ef_search": String(options.efSearch),
      "hnsw.iterative_scan": "strict_order",
    },
  });
  try {
    const held = await builtCorpus(pool, tables, options);
    const vectors =
      options.embedder === undefined
        ? undefined
        : await storeVectors(pool, tables, {
            ...options,
            embedder: options.embedder,
            size: held.size,
          });
    return opened({ pool, tables, options, held, vectors });
  } catch (error) {
    await pool[Symbol.asyncDispose]();
    throw error;
  }
}

async function builtCorpus(
  pool: PostgresPool,
  tables: IndexTables,
  { corpus: source, onProgress, signal }: SettledOptions,
): Promise<HeldCorpus> {
  const where = `${pool.where}, schema ${tables.schema}`;
  const run = (sql: string, values: readonly unknown[] = []) => pool.read(sql, values, signal);
  const wanted = source === undefined ? undefined : await loadCorpus(source, signal);
  const known = await heldCorpus(tables, run, pool.where);
  if (wanted !== undefined) {
    if (known !== undefined) refuseAnother(wanted, known, where);
    // Otherwise it is used as it is: that needs no right to write.
    if (known?.isWhole !== true) await storePassages(pool, tables, wanted, { onProgress, signal });
  }
  const held = wanted === undefined ? known : await heldCorpus(tables, run, pool.where);
  if (held?.isWhole === true) return held;
  throw new EspalierError({
    code: "index-unusable",
    problem: "The schema holds no complete index",
    expected: "an index, or a corpus to build one from",
    got: held === undefined ? "nothing" : `${held.stored} of ${held.size} passages`,
    where,
    fix: "Pass the corpus: an interrupted build continues where it stopped.",
  });
}

interface Opened {
  readonly pool: PostgresPool;
  readonly tables: IndexTables;
  readonly options: SettledOptions;
  readonly held: HeldCorpus;
  readonly vectors: VectorPlace | undefined;
}

function opened(parts: Opened): PostgresIndex {
  const { pool, tables, options, held, vectors } = parts;
  const { embedder, keptQueries } = options;
  const queries =
    embedder === undefined || vectors === undefined
      ? undefined
      : queryVectors(keptQueryVectors(pool, tables, keptQueries), {
          embedder,
          dimension: vectors.dimension,
        });
  const stemsOf = stemmer();
  const retriever = (asked: PostgresRetrieverOptions = {}): Retriever =>
    retrieverOf(parts, queries, stemsOf, asked);
  return {
    ...retriever(),
    size: held.size,
    checksum: held.checksum,
    ...(vectors === undefined ? {} : { dimension: vectors.dimension }),
    inspect: () => {
      const run: RunQuery = (sql, values = []) => pool.read(sql, values, undefined);
      return inspectTables(tables, held, { run, server: pool.where });
    },
    retriever,
    [Symbol.asyncDispose]: async () => {
      await queries?.settle();
      await pool[Symbol.asyncDispose]();
    },
  };
}

function retrieverOf(
  { pool, tables, options, held, vectors }: Opened,
  queries: QueryVectors | undefined,
  stemsOf: Stemmer,
  asked: PostgresRetrieverOptions,
): Retriever {
  const { by: ranking = queries === undefined ? "keyword" : "hybrid", filter } = asked;
  const { name = options.name, k0 = 60, weights = [1, 1], depth = 100 } = asked;
  if (ranking !== "keyword" && queries === undefined) throw noEmbedder(ranking);
  checkCount("depth", depth);
  // Throws for invalid options.
  reciprocalRankFusion([[], []], { k0, weights });
  const { countsRepeats, stopWords } = options;
  const statement = searchStatement({
    tables,
    size: held.size,
    // Without words, nothing is divided by it.
    meanWords: held.words / held.size || 1,
    ranking,
    vectors,
    isFiltered: filter !== undefined,
    k0,
    weights,
  });
  const reading = { keepsRepeats: countsRepeats, stopWords: new Set(stopWords) };
  const keywordSettings = {
    countsRepeats,
    stopWords: stopWords.toSorted(),
  };
  const settings = {
    checksum: held.checksum,
    ranking,
    ...(filter !== undefined && { filter }),
    ...(ranking !== "dense" && keywordSettings),
    ...(ranking !== "keyword" && denseSettings(options)),
    ...(ranking === "hybrid" && { k0, weights, depth }),
  };
  return {
    name,
    version: `1-${contentHash(settings).slice(0, 12)}`,
    ...(options.module === undefined ? {} : { module: options.module }),
    doRetrieve: async ({ query, k }, { signal }): Promise<readonly RankedPassage[]> => {
      checkCount("k", k);
      signal?.throwIfAborted();
      if (query.trim() === "") return [];
      const stems =
        ranking === "dense"
          ? new Map<string, number>()
          : countedStems(queryWords(query, reading), stemsOf);
      if (ranking === "keyword" && stems.size === 0) return [];
      const vector =
        ranking === "keyword" ? undefined : await queries?.of(options.queryPrefix + query, signal);
      const given = statement.values({
        stems: [...stems.keys()],
        times: [...stems.values()],
        k,
        depth: ranking === "hybrid" ? Math.max(k, depth) : k,
        vector: vector === undefined ? "" : vectorText(vector),
        filter: filter === undefined ? "" : canonicalJson(filter),
      });
      const rows = await pool.read(statement.sql, given, signal);
      return rows.map((row) => ({ ...passageOfRecord(row), score: Number(row["score"]) }));
    },
  };
}

function denseSettings({
  embedder,
  similarity,
  queryPrefix,
  documentPrefix,
  maxCharacters,
  neighbours,
}: SettledOptions): object {
  return {
    provider: embedder?.identity.provider,
    model: embedder?.identity.model,
    similarity,
    queryPrefix,
    documentPrefix,
    maxCharacters,
    neighbours: neighbours === "exact" ? neighbours : withDefaults(neighbours),
  };
}

function noEmbedder(ranking: string): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: `A ${ranking} retriever needs vectors`,
    expected: "an index opened with an `embedder`",
    got: "one without",
  });
}
