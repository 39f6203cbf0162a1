import type { LmCallOptions, LmIdentity } from "./language-model.ts";

export interface TextModelOptions {
  readonly signal?: AbortSignal;
  /** Called before each further request for the same call, made after a transient fault. */
  readonly onRetry?: LmCallOptions["onRetry"];
}

export interface TextModelUsage {
  /** `null` when the server does not say. */
  readonly promptTokens: number | null;
}

/** Maps texts to vectors of one length. */
export interface Embedder {
  readonly identity: LmIdentity;
  /** Returns one vector per text, in order. */
  doEmbed(
    texts: readonly string[],
    options?: TextModelOptions,
  ): Promise<{ readonly vectors: readonly Float32Array[]; readonly usage: TextModelUsage }>;
}

export interface RelevanceScore {
  /** Position in the submitted `documents`. */
  readonly index: number;
  /** Higher is more relevant; the range is the model's. */
  readonly score: number;
}

/** Orders documents by relevance to a query (Cohere/Jina-style `/v1/rerank`). */
export interface Reranker {
  readonly identity: LmIdentity;
  /** Returns every document once (or the `topN` best), best first, ties in the order sent. */
  doRerank(
    request: {
      readonly query: string;
      readonly documents: readonly string[];
      readonly topN?: number;
    },
    options?: TextModelOptions,
  ): Promise<{ readonly results: readonly RelevanceScore[]; readonly usage: TextModelUsage }>;
}

/** Scores pairs with a cross-encoder (vLLM's `/v1/score`). */
export interface PairScorer {
  readonly identity: LmIdentity;
  /** Returns one score per document, in the order sent. */
  doScore(
    request: { readonly query: string; readonly documents: readonly string[] },
    options?: TextModelOptions,
  ): Promise<{ readonly scores: readonly number[]; readonly usage: TextModelUsage }>;
}
