/**
 * Finding passages: corpora, an embedded BM25 index, an exact dense index in the same SQLite file,
 * search servers behind HTTP, rank fusion, and rerankers. Models are the contract's `Embedder`,
 * `Reranker`, `PairScorer` and `LanguageModel`; `espalier/lm` connects them. Nothing here knows a
 * program, a metric or a collection by name, and a finished index never changes.
 */
export type { Bm25Index, Bm25IndexOptions, QueryReading } from "./lexical/bm25-index.ts";
export { bm25Index, queryWords } from "./lexical/bm25-index.ts";
export type { Corpus } from "./corpus/corpus.ts";
export { corpus } from "./corpus/corpus.ts";
export type { DenseIndex, DenseIndexOptions, QueryVectors } from "./dense/dense-index.ts";
export { denseIndex, queryVectors } from "./dense/dense-index.ts";
export { defaultMaxCharacters, documentText } from "./corpus/document-text.ts";
export { englishStopWords } from "./lexical/english-stop-words.ts";
export type { HttpSearchOptions } from "./http/http-search.ts";
export { httpSearch, passageOfResult } from "./http/http-search.ts";
export type { HybridOptions } from "./fusion/reciprocal-rank-fusion.ts";
export { hybrid } from "./fusion/reciprocal-rank-fusion.ts";
export type { CorpusSource } from "./corpus/load-corpus.ts";
export type { IndexFileOptions, IndexContents, IndexReport } from "./index-file/index-file.ts";
export type { IndexProgress } from "./index-file/index-progress.ts";
export type { LexicalRerankerOptions } from "./rerank/lexical-reranker.ts";
export { lexicalReranker } from "./rerank/lexical-reranker.ts";
export type { ModelRerankerOptions } from "./rerank/model-reranker.ts";
export { modelReranker } from "./rerank/model-reranker.ts";
export type { PairRerankerOptions, Qwen3RerankerOptions } from "./rerank/pair-reranker.ts";
export { pairReranker, qwen3Reranker } from "./rerank/pair-reranker.ts";
export type { FusionOptions } from "./fusion/reciprocal-rank-fusion.ts";
export { reciprocalRankFusion } from "./fusion/reciprocal-rank-fusion.ts";
export type { YesNoRerankerOptions } from "./rerank/yes-no-reranker.ts";
export { yesNoReranker } from "./rerank/yes-no-reranker.ts";

// What an index of another backend needs to read the same corpora and find the same words.
export { checkedVectors } from "../contract/index.ts";
export { loadCorpus, readCorpus } from "./corpus/load-corpus.ts";
export type { PassageRecord } from "./corpus/passage-record.ts";
export { passageOfRecord } from "./corpus/passage-record.ts";
export type { KeptVectors } from "./dense/kept-vectors.ts";
export { vectorIn } from "./dense/kept-vectors.ts";
export { fts5Tokenizer } from "./index-file/index-schema.ts";
export type { Stemmer } from "./lexical/stemmed-words.ts";
export { stemmer } from "./lexical/stemmed-words.ts";
