/**
 * What real language models and retrievers once put out, kept by others, as typed rows: to replay, to
 * check a metric against the figures recorded beside it, and to compare with. None of it is shipped;
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
