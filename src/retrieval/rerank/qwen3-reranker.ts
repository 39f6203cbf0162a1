import type { PairScorer, Passage, PassageReranker } from "../../contract/index.ts";
import { pairReranker } from "./pair-reranker.ts";

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
