/**
 * R2RAG of RMIT-ADM+S (MMU-RAG at NeurIPS 2025): a router and the two pipelines that it routes to,
 * each a separate program.
 */
export type { AnsweringParts } from "./answering.ts";
export type {
  ComplexityClassifier,
  ComplexityVerdict,
} from "./complexity/complexity-classifier.ts";
export { complexityClassifier } from "./complexity/complexity-classifier.ts";
export { complexityRouter } from "./complexity/judge-question.ts";
export type { ComplexityModel } from "./complexity/complexity-model.ts";
export { readComplexityModel } from "./complexity/complexity-model.ts";
export type { ComplexityExample } from "./complexity/train-complexity-model.ts";
export { trainComplexityModel } from "./complexity/train-complexity-model.ts";
export type { ContextOptions } from "./context-budget.ts";
export type { SearchParts } from "./find-documents.ts";
export type { R2ragParts } from "./r2rag.ts";
export { r2rag } from "./r2rag.ts";
export { pageRelevance } from "./page-relevance.ts";
export type { VanillaAgentParts } from "./vanilla-agent.ts";
export { vanillaAgent } from "./vanilla-agent.ts";
export { vanillaRag } from "./vanilla-rag.ts";
export type { CitedAnswerLabels } from "./metric/cited-answer.ts";
export { citedAnswer } from "./metric/cited-answer.ts";
