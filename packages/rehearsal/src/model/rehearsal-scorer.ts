import type { PairScorer } from "../../../../src/contract/index.ts";
import { textReader } from "../text/index.ts";
import { relevance } from "./relevance.ts";
import { countTokens } from "./tokenizer.ts";

export interface RehearsalScorerOptions {
  /** @default "rehearsal" */
  readonly model?: string;
}

/** Scores each pair independently, unlike the reranker, which compares all documents. */
export function rehearsalScorer({ model = "rehearsal" }: RehearsalScorerOptions = {}): PairScorer {
  const reader = textReader();
  return {
    identity: { provider: "rehearsal", model },
    doScore: async ({ query, documents }, { signal } = {}) => {
      signal?.throwIfAborted();
      return {
        scores: documents.map((document) => relevance(query, [document], reader)[0] ?? 0),
        usage: {
          promptTokens: documents.reduce(
            (sum, document) => sum + countTokens(query) + countTokens(document),
            0,
          ),
        },
      };
    },
  };
}
