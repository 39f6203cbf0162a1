/**
 * Search engines as retrievers: ready mappings of `httpSearch` of `espalier/retrieval`. Knows no
 * program and no command.
 */
export type { ElasticsearchSearchOptions, EngineSearchOptions } from "./elasticsearch-search.ts";
export { elasticsearchSearch } from "./elasticsearch-search.ts";
export type { QdrantSearchOptions } from "./qdrant-search.ts";
export { qdrantSearch } from "./qdrant-search.ts";
