import type { PairScorer, Passage, PassageReranker } from "espalier";
import { pairReranker } from "espalier/retrieval";

/** The criterion for judging a document (appendix A.3): for `yesNoReranker` and `qwen3Reranker`. */
export const pageRelevance = `A web page was found for a query. Does it hold key information that helps to answer the query? Count it in its favour if its address speaks for a good and fitting site, and if it is recent.`;

/**
 * Qwen3-Reranker behind vLLM's `/v1/score`, in batches of 100: a score is P(yes). The template is
 * the model's own (Zhang et al. 2025, model card of Qwen3-Reranker-0.6B); without it, its scores
 * mean little. vLLM must serve it as a classifier of "no" and "yes" (`hf_overrides` with
 * `Qwen3ForSequenceClassification`, `classifier_from_token` and `is_original_qwen3_reranker`).
 */
export function qwen3Reranker({
  scorer,
  instruction = pageRelevance,
  name = "qwen3Reranker",
  batchSize = 100,
}: {
  readonly scorer: PairScorer;
  /** The criterion of relevance. @default pageRelevance */
  readonly instruction?: string;
  /** Name in call paths and traces. @default "qwen3Reranker" */
  readonly name?: string;
  /** @default 100 */
  readonly batchSize?: number;
}): PassageReranker {
  return pairReranker({
    scorer,
    name,
    batchSize,
    query: (query) => `${opening}<Instruct>: ${instruction}\n<Query>: ${query}\n`,
    document: (page) => `<Document>: ${wholeText(page)}${closing}`,
  });
}

const opening = `<|im_start|>system
Judge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>
<|im_start|>user
`;
const closing = `<|im_end|>
<|im_start|>assistant
<think>

</think>

`;

/** Pages are cut by words before reranking. */
function wholeText({ title = "", text }: Passage): string {
  return `${title}\n${text}`.trim();
}
