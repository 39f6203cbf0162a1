/**
 * Outputs of real language models and retrievers, recorded by others, as typed rows: for replay,
 * for checking a metric against recorded figures, and for comparison. None of the data is included;
 * each loader takes a path. Rows of different files join by `taskId`.
 */
export type { RecordedRewrite } from "./recorded-rewrites.ts";
export { recordedRewrites } from "./recorded-rewrites.ts";
export type { RecordedRagAnswer } from "./recorded-rag-answers.ts";
export { recordedRagAnswers } from "./recorded-rag-answers.ts";
export type { RecordedResponse } from "./recorded-responses.ts";
export { recordedResponses } from "./recorded-responses.ts";
export type { EvaluatedResponse } from "./evaluated-responses.ts";
export { evaluatedResponses } from "./evaluated-responses.ts";
export type { RecordedAnswer, RecordedAnswers } from "./recorded-answers.ts";
export { recordedAnswers } from "./recorded-answers.ts";
export type { ChainStep, RecordedChain } from "./recorded-chains.ts";
export { recordedChains } from "./recorded-chains.ts";
