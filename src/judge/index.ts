/**
 * Metrics that ask a language model: judges as small programs, parsers of their replies, and a
 * composed objective for grounded generation. A judge uses its own LM or the run's, and its
 * requests have the role `judge`. Knows programs and formulas; no evaluations or data sets. All
 * prompts are our own, so their figures are comparable to published ones but not the same.
 */
export { faithfulness } from "./faithfulness-judge.ts";
export { generationQuality } from "./generation-quality.ts";
export { idkVerdictIn } from "./idk-judge.ts";
export { ratingIn } from "./rating-judge.ts";
export type { AgreementService } from "./sentence-matching.ts";
export { sentenceMatching } from "./sentence-matching.ts";
