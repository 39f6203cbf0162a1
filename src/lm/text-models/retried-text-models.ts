import type { Embedder, PairScorer, Reranker } from "../../contract/index.ts";
import type { RetryOptions } from "../wrappers/retry.ts";
import { retry } from "../wrappers/retry.ts";
import type { AroundCall } from "./around-text-model.ts";
import { textModelCalls } from "./around-text-model.ts";

/**
 * `retried` for an embedder. A call is asked again as a whole, so batches belong outside of it: see
 * `batchedEmbedder`.
 */
export function retriedEmbedder(embedder: Embedder, options: RetryOptions = {}): Embedder {
  return textModelCalls.embedder(embedder, retrying(options));
}

/** `retried` for a reranker. */
export function retriedReranker(reranker: Reranker, options: RetryOptions = {}): Reranker {
  return textModelCalls.reranker(reranker, retrying(options));
}

/** `retried` for a pair scorer. */
export function retriedPairScorer(scorer: PairScorer, options: RetryOptions = {}): PairScorer {
  return textModelCalls.pairScorer(scorer, retrying(options));
}

function retrying(options: RetryOptions): AroundCall {
  const again = retry(options);
  return (ask, { signal, onRetry }) => again(ask, { signal, onRetry });
}
