import type { Retriever } from "espalier";
import { estimatingTokenizer } from "espalier/lm";
import { rehearsalScorer } from "@espalier/rehearsal";
import { pairReranker } from "espalier/retrieval";

/** What R2RAG is optimized with and served with alike, so that what was compiled fits what is served. */
export function r2ragParts(retriever: Retriever) {
  return {
    retriever,
    // A scorer that needs no model.
    reranker: pairReranker({ scorer: rehearsalScorer() }),
    // The server of a run is named on the command line, after this file is read.
    tokenizer: estimatingTokenizer(),
    // Greedy, unlike the authors' 0.6: a difference between candidates is then the instruction's.
    sampling: { temperature: 0, maxCompletionTokens: 4_096 },
  };
}

/** For that scorer, whose scores stay below .3 where a model's P(yes) is near 1. */
export const lowThreshold = { kind: "parameter", path: "threshold", value: 0.1 } as const;
