/**
 * The four models under the framework's contracts, in process: a language model, an embedder, a
 * reranker and a pair scorer. An instance may remember stems, which affects only its speed.
 */
export type { RehearsalEmbedderOptions } from "./rehearsal-embedder.ts";
export { rehearsalEmbedder } from "./rehearsal-embedder.ts";
export type { RehearsalLmOptions } from "./rehearsal-lm.ts";
export { promptTokens, rehearsalLm } from "./rehearsal-lm.ts";
export type { RehearsalRerankerOptions } from "./rehearsal-reranker.ts";
export { rehearsalReranker } from "./rehearsal-reranker.ts";
export type { RehearsalScorerOptions } from "./rehearsal-scorer.ts";
export { rehearsalScorer } from "./rehearsal-scorer.ts";
export { countTokens, tokenId, tokenize, tokenOf } from "./tokenizer.ts";
