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

export interface Qwen3RerankerOptions {
  readonly scorer: PairScorer;
  /** What makes a document relevant. @default the model card's, for web search */
  readonly instruction?: string;
  /** Name in call paths and traces. @default "qwen3Reranker" */
  readonly name?: string;
  /** Number of passages per call of the scorer. @default 100 */
  readonly batchSize?: number;
}

/**
 * Qwen3-Reranker behind vLLM's `/v1/score`: a score is P(yes). The template is the model's own
 * (Zhang et al. 2025, model card of Qwen3-Reranker-0.6B); without it, its scores mean little. vLLM
 * must serve it as a classifier of "no" and "yes" (`hf_overrides` with
 * `Qwen3ForSequenceClassification`, `classifier_from_token` and `is_original_qwen3_reranker`).
 *
 * @throws EspalierError `option-invalid`; the scorer's errors
 */
export function qwen3Reranker({
  scorer,
  instruction = webSearch,
  name = "qwen3Reranker",
  batchSize = 100,
}: Qwen3RerankerOptions): PassageReranker {
  return pairReranker({
    scorer,
    name,
    batchSize,
    query: (query) => `${opening}<Instruct>: ${instruction}\n<Query>: ${query}\n`,
    document: (page) => `<Document>: ${wholeText(page)}${closing}`,
  });
}

/** The model card's. */
const webSearch = "Given a web search query, retrieve relevant passages that answer the query";

const opening = `<|im_start|>system
Judge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>
<|im_start|>user
`;
const closing = `<|im_end|>
<|im_start|>assistant
<think>

</think>

`;

/** Programs cut their passages themselves. */
function wholeText({ title = "", text }: Passage): string {
  return `${title}\n${text}`.trim();
}
