/**
 * Finding passages: corpora, an embedded BM25 index, an exact dense index in the same SQLite file,
 * search servers behind HTTP, rank fusion, and rerankers. Models come in as the contract's `Embedder`,
 * `Reranker`, `PairScorer` and `LanguageModel`; how they are reached is `espalier/lm`'s business.
 * Nothing here knows a program, a metric or a collection by name, and an index never changes once it
 * is built.
 */
export type { Bm25Index, Bm25IndexOptions } from "./bm25-index.ts";
export { bm25Index } from "./bm25-index.ts";
export type { Corpus } from "./corpus.ts";
export { corpus } from "./corpus.ts";
export type { DenseIndex, DenseIndexOptions } from "./dense-index.ts";
export { denseIndex } from "./dense-index.ts";
export { documentText } from "./document-text.ts";
export { englishStopWords } from "./english-stop-words.ts";
export type { HttpSearchOptions } from "./http-search.ts";
export { httpSearch } from "./http-search.ts";
export type { HybridOptions } from "./hybrid.ts";
export { hybrid } from "./hybrid.ts";
export type { CorpusSource, IndexFileOptions } from "./index-file.ts";
export type { IndexProgress } from "./index-progress.ts";
export type { IndexReport } from "./inspect-index.ts";
export type { LexicalRerankerOptions } from "./lexical-reranker.ts";
export { lexicalReranker } from "./lexical-reranker.ts";
export type { ModelRerankerOptions } from "./model-reranker.ts";
export { modelReranker } from "./model-reranker.ts";
export type { PairRerankerOptions } from "./pair-reranker.ts";
export { pairReranker } from "./pair-reranker.ts";
export { readCorpus } from "./read-corpus.ts";
export type { FusionOptions } from "./reciprocal-rank-fusion.ts";
export { reciprocalRankFusion } from "./reciprocal-rank-fusion.ts";
export { passageOfResult } from "./search-result.ts";
export type { YesNoRerankerOptions } from "./yes-no-reranker.ts";
export { yesNoReranker } from "./yes-no-reranker.ts";
