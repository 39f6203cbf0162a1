import type { Reranker } from "../../../../src/contract/index.ts";
import { textReader } from "../text/index.ts";
import { relevance } from "./relevance.ts";
import { countTokens } from "./tokenizer.ts";

export interface RehearsalRerankerOptions {
  /** @default "rehearsal" */
  readonly model?: string;
}

/** Orders documents by lexical relevance; words in fewer of the documents weigh more. */
export function rehearsalReranker({
  model = "rehearsal",
}: RehearsalRerankerOptions = {}): Reranker {
  const reader = textReader();
  return {
    identity: { provider: "rehearsal", model },
    doRerank: async ({ query, documents, topN = documents.length }, { signal } = {}) => {
      signal?.throwIfAborted();
      const results = relevance(query, documents, reader)
        .map((score, index) => ({ index, score }))
        .toSorted((left, right) => right.score - left.score || left.index - right.index)
        .slice(0, topN);
      const promptTokens = documents.reduce(
        (sum, document) => sum + countTokens(query) + countTokens(document),
        0,
      );
      return { results, usage: { promptTokens } };
    },
  };
}
