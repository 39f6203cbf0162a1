import type { Embedder, PairScorer, Reranker } from "../../contract/index.ts";
import type { Limiter } from "../wrappers/limited.ts";
import type { AroundCall } from "./around-text-model.ts";
import { textModelCalls } from "./around-text-model.ts";

/** `limited` for an embedder; models of one server share its limiter. */
export function limitedEmbedder(embedder: Embedder, shared: Limiter): Embedder {
  return textModelCalls.embedder(embedder, limiting(shared));
}

/** `limited` for a reranker. */
export function limitedReranker(reranker: Reranker, shared: Limiter): Reranker {
  return textModelCalls.reranker(reranker, limiting(shared));
}

/** `limited` for a pair scorer. */
export function limitedPairScorer(scorer: PairScorer, shared: Limiter): PairScorer {
  return textModelCalls.pairScorer(scorer, limiting(shared));
}

function limiting(shared: Limiter): AroundCall {
  return (ask, { signal }) => shared.run(ask, signal);
}
