import type { Retriever } from "espalier";
import { pairReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { pageRelevance } from "../../programs/r2rag/index.ts";

/**
 * The parts of R2RAG shared by optimization and serving, so that compiled artifacts fit the server.
 */
export function r2ragParts(retriever: Retriever, parts: Parts) {
  return {
    ...deployedParts(retriever, parts),
    // Greedy, unlike the authors' 0.6, so that differences between candidates come from the
    // instruction.
    sampling: { temperature: 0, maxCompletionTokens: 4_096 },
  };
}

/** The same with the authors' sampling, the default of the programs. */
export function deployedParts(retriever: Retriever, parts: Parts) {
  return {
    retriever,
    reranker: parts.reranker({
      instruction: pageRelevance,
      standIn: () => pairReranker({ scorer: parts.pairScorer() }),
    }),
    tokenizer: parts.tokenizer(),
  };
}

/** The stand-in's scores stay below .3 where a model's P(yes) is close to 1. */
export function standInThreshold(parts: Parts) {
  return parts.has("reranker")
    ? []
    : [{ kind: "parameter", path: "threshold", value: 0.1 } as const];
}
