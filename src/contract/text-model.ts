import type { LmCallOptions, LmIdentity } from "./language-model.ts";
import { EspalierError } from "../errors/index.ts";

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

/** At least one vector, so that callers can take the first without a check. */
type Vectors = readonly [Float32Array, ...Float32Array[]];

/** Checks an embedder's vectors: expected count, equal length, finite numbers. */
export function checkedVectors(
  vectors: readonly Float32Array[],
  {
    embedder,
    count,
    dimension,
  }: {
    readonly embedder: Embedder;
    /** At least 1. */
    readonly count: number;
    /** `undefined` until a vector is known; then the first one decides. */
    readonly dimension: number | undefined;
  },
): Vectors {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "embedding-invalid",
      problem: "The embedder returned vectors that cannot be used",
      where: `${embedder.identity.provider}, model \`${embedder.identity.model}\``,
      expected,
      got,
      fix: "If the server now serves another model under this name, rebuild everything that holds the old model's vectors, such as an index.",
    });
  const [first, ...others] = vectors;
  if (first === undefined || vectors.length !== count) {
    throw invalid(`${count} vectors`, String(vectors.length));
  }
  const length = dimension ?? first.length;
  for (const vector of vectors) {
    if (vector.length !== length || length === 0) {
      throw invalid(`vectors of ${length || "some"} numbers`, `a vector of ${vector.length}`);
    }
    const bad = vector.find((value) => !Number.isFinite(value));
    if (bad !== undefined) throw invalid("finite numbers", String(bad));
  }
  return [first, ...others];
}
