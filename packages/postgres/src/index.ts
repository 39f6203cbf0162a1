/**
 * Passages in PostgreSQL: the BM25 of `bm25Index` in SQL, pgvector's graph, and both fused. Corpora
 * and words are read as the indexes of `espalier/retrieval` do. Knows no program and no command.
 */
export { postgresIndex } from "./postgres-index.ts";
export type {
  PostgresIndex,
  PostgresIndexOptions,
  PostgresRetrieverOptions,
} from "./postgres-options.ts";
export type { HnswOptions } from "./stored/build-graph.ts";
export type { PostgresReport } from "./stored/inspect-tables.ts";
