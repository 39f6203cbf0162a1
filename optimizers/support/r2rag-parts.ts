import type { Retriever } from "espalier";
import { estimatingTokenizer } from "espalier/lm";
import { rehearsalScorer } from "@espalier/rehearsal";
import { pairReranker } from "espalier/retrieval";

/**
 * The parts of R2RAG shared by optimization and serving, so that compiled artifacts fit the server.
 */
export function r2ragParts(retriever: Retriever) {
  return {
    retriever,
    // A scorer that needs no model.
    reranker: pairReranker({ scorer: rehearsalScorer() }),
    // The command line names the run's server, after this file is loaded.
    tokenizer: estimatingTokenizer(),
    // Greedy, unlike the authors' 0.6, so that differences between candidates come from the
    // instruction.
    sampling: { temperature: 0, maxCompletionTokens: 4_096 },
  };
}

/** For this scorer, whose scores stay below .3 where a model's P(yes) is close to 1. */
export const lowThreshold = { kind: "parameter", path: "threshold", value: 0.1 } as const;
