import type { PairScorer, Passage, PassageReranker } from "../../contract/index.ts";
import { allOrAbort, checkCount, contentHash, withoutChatTokens } from "../../internal/index.ts";
import { defaultMaxCharacters, documentText, plainPassage } from "../corpus/document-text.ts";
import { bestPassages, distinctPassages } from "./rerank-order.ts";

export interface PairRerankerOptions {
  /** A cross-encoder, such as `pairScorer` of `espalier/lm`, which calls `/v1/score`. */
  readonly scorer: PairScorer;
  /**
   * Formats a query for the model, for models trained on a template. Chat-template tokens in query
   * and passages are already broken. @default the query itself
   */
  readonly query?: (query: string) => string;
  /** Formats a passage for the model. @default `documentText`, at most 2,000 code points */
  readonly document?: (passage: Passage) => string;
  /** Number of passages per call of the scorer. @default 100 */
  readonly batchSize?: number;
  /** Name in call paths and traces. @default "pairScorer" */
  readonly name?: string;
  readonly module?: string;
}

/**
 * Orders passages by the scores of a cross-encoder, in concurrent batches. Unlike `modelReranker`,
 * which asks a server to rank, it formats the text of both sides and keeps the model's score:
 * P(yes) for a yes/no model that is served as a classifier.
 *
 * @throws EspalierError `option-invalid`; the scorer's errors: one failed batch fails the whole
 * call
 */
export function pairReranker({
  scorer,
  query: queryText = (query) => query,
  document = (passage) => documentText(passage, defaultMaxCharacters),
  batchSize = 100,
  name = "pairScorer",
  module,
}: PairRerankerOptions): PassageReranker {
  checkCount("batchSize", batchSize);
  // Functions cannot be hashed, but their output for a sample can.
  const sample = [queryText("query"), document({ id: "id", title: "title", text: "text" })];
  return {
    name,
    version: `1-${contentHash([scorer.identity, sample]).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRerank: async ({ query: asked, passages: given, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      const passages = distinctPassages(given);
      if (passages.length === 0) return [];
      const query = queryText(withoutChatTokens(asked));
      const batches = Array.from({ length: Math.ceil(passages.length / batchSize) }, (_, index) =>
        passages
          .slice(index * batchSize, (index + 1) * batchSize)
          .map((passage) => document(plainPassage(passage))),
      );
      const replies = await allOrAbort(
        batches,
        signal ?? new AbortController().signal,
        (documents, signal) => scorer.doScore({ query, documents }, { signal }),
      );
      const scores = replies.flatMap((reply) => reply.scores);
      return bestPassages(passages, scores, k);
    },
  };
}
