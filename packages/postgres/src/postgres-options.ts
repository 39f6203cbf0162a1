import type { Embedder, JsonObject, Retriever } from "../../../src/index.ts";
import type { CorpusSource, IndexProgress } from "../../../src/retrieval/index.ts";
import { defaultMaxCharacters } from "../../../src/retrieval/index.ts";
import type { Clock } from "../../../src/internal/index.ts";
import { checkCount, checkMilliseconds, systemClock } from "../../../src/internal/index.ts";
import type { HnswOptions } from "./stored/build-graph.ts";
import { withDefaults } from "./stored/build-graph.ts";
import type { PostgresReport } from "./stored/inspect-tables.ts";
import type { PostgresRanking } from "./search/search-sql.ts";

export interface PostgresIndexOptions {
  /**
   * `postgres://user:password@host:5432/database`. TLS is asked for in it: `?sslmode=verify-full`,
   * with `&sslrootcert=FILE` for an authority of your own. Not part of `version`.
   */
  readonly url: string;
  /** Schema of the index, created if absent; each holds one corpus. @default "espalier" */
  readonly schema?: string;
  /**
   * What to index. A schema that already holds this corpus, by checksum, is used unchanged, or
   * completed; one with another corpus is an error. @default the schema's corpus
   */
  readonly corpus?: CorpusSource;
  /** Makes the index able to search by vectors, which needs pgvector. @default none */
  readonly embedder?: Embedder;
  /** Name in call paths and traces. @default "postgres" */
  readonly name?: string;
  /** As for `bm25Index`. @default false */
  readonly countsRepeats?: boolean;
  /** As for `bm25Index`. @default none */
  readonly stopWords?: readonly string[];
  /** `cosine` ignores the length of vectors. @default "cosine" */
  readonly similarity?: "cosine" | "inner-product";
  /**
   * `exact` compares every vector of the table; otherwise the settings of the HNSW graph. Vectors
   * of more than 2,000 numbers have 16 bits for each in the graph; beyond 4,000, search is exact.
   * @default {}
   */
  readonly neighbours?: HnswOptions | "exact";
  /** As for `denseIndex`. @default "" */
  readonly queryPrefix?: string;
  /** As for `denseIndex`. @default "" */
  readonly documentPrefix?: string;
  /** As for `denseIndex`. @default 2000 */
  readonly maxCharacters?: number;
  /** Number of passages that are embedded and stored together. @default 64 */
  readonly batchSize?: number;
  /** Maximum number of concurrent batches. @default 4 */
  readonly concurrency?: number;
  /**
   * Maximum number of query vectors kept in the schema, for all processes; approximately. 0 keeps
   * none. @default 100_000
   */
  readonly keptQueries?: number;
  /** Maximum number of connections. @default 10 */
  readonly connections?: number;
  /**
   * Maximum duration of a search in the server, in milliseconds; a build has no limit.
   * @default 30_000
   */
  readonly statementTimeoutMs?: number;
  /** Maximum wait for a connection, in milliseconds. @default 10_000 */
  readonly connectTimeoutMs?: number;
  /** Maximum number of tries of one search, including the first. @default 3 */
  readonly attempts?: number;
  /** Delay before the second try, in milliseconds; doubles with each further one. @default 250 */
  readonly baseDelayMs?: number;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Aborts the build; what is stored is kept. */
  readonly signal?: AbortSignal;
  readonly module?: string;
  readonly clock?: Clock;
}

export interface PostgresRetrieverOptions {
  /** @default "hybrid" with an embedder, otherwise "keyword" */
  readonly by?: PostgresRanking;
  /**
   * Finds only passages whose metadata contain this: `{ collection: "clapnq" }`. How rare a word is
   * still comes from the whole corpus. @default all passages
   */
  readonly filter?: JsonObject;
  /** Name in call paths and traces. @default the index's */
  readonly name?: string;
  /** Of a hybrid: see `FusionOptions`. @default 60 */
  readonly k0?: number;
  /** Of a hybrid: keyword and dense. @default [1, 1] */
  readonly weights?: readonly [keyword: number, dense: number];
  /** Of a hybrid: passages taken from each ranking; `k` if that is larger. @default 100 */
  readonly depth?: number;
}

export interface PostgresIndex extends Retriever, AsyncDisposable {
  /** Number of passages. */
  readonly size: number;
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Length of the vectors, with an embedder. */
  readonly dimension?: number;
  /** What it holds; counts every passage. */
  inspect(): Promise<PostgresReport>;
  /**
   * Another way to search the same index; lives as long as it.
   *
   * @throws EspalierError `option-invalid`
   */
  retriever(options?: PostgresRetrieverOptions): Retriever;
}

type WithDefault = Exclude<
  keyof PostgresIndexOptions,
  "url" | "corpus" | "embedder" | "onProgress" | "signal" | "module"
>;

const defaults: Required<Pick<PostgresIndexOptions, WithDefault>> = {
  schema: "espalier",
  name: "postgres",
  countsRepeats: false,
  stopWords: [],
  similarity: "cosine",
  neighbours: {},
  queryPrefix: "",
  documentPrefix: "",
  maxCharacters: defaultMaxCharacters,
  batchSize: 64,
  concurrency: 4,
  keptQueries: 100_000,
  connections: 10,
  statementTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  attempts: 3,
  baseDelayMs: 250,
  clock: systemClock,
};

export type SettledOptions = Omit<PostgresIndexOptions, WithDefault> &
  Required<Pick<PostgresIndexOptions, WithDefault>> & {
    /** Of the graph. */
    readonly efSearch: number;
  };

/** @throws EspalierError `option-invalid` */
export function settledOptions(given: PostgresIndexOptions): SettledOptions {
  const known = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const options = { ...defaults, ...known } as Omit<SettledOptions, "efSearch">;
  for (const name of ["batchSize", "concurrency", "maxCharacters", "attempts"] as const) {
    checkCount(name, options[name]);
  }
  // One builds while another reports how far it is.
  checkCount("connections", options.connections, 2);
  checkCount("keptQueries", options.keptQueries, 0);
  checkMilliseconds("statementTimeoutMs", options.statementTimeoutMs, { least: 1 });
  checkMilliseconds("connectTimeoutMs", options.connectTimeoutMs, { least: 1 });
  checkMilliseconds("baseDelayMs", options.baseDelayMs);
  const { efSearch } = withDefaults(options.neighbours === "exact" ? {} : options.neighbours);
  return { ...options, efSearch };
}
