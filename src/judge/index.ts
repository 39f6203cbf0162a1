/**
 * Metrics that ask a language model: judges as small programs, parsers of their replies, and a
 * composed objective for grounded generation. A judge uses its own LM or the run's, and its
 * requests have the role `judge`. Knows programs and formulas; no evaluations or data sets. All
 * prompts are our own, so their figures are comparable to published ones but not the same.
 */
export type { AgreementScores, AgreementService } from "./agreement.ts";
export { rbAgg } from "./agreement-metric.ts";
export {
  clarificationJudge,
  clarificationProgram,
  clarificationVerdictIn,
} from "./clarification-judge.ts";
export type {
  FaithfulnessCase,
  FaithfulnessVerdict,
  JudgedStatement,
} from "./faithfulness-judge.ts";
export { faithfulnessJudge, faithfulnessProgram } from "./faithfulness-judge.ts";
export type { GenerationJudges, GenerationQualityOptions } from "./generation-quality.ts";
export { generationQuality } from "./generation-quality.ts";
export type { IdkCase } from "./idk-judge.ts";
export { idkJudge, idkProgram, idkVerdictIn } from "./idk-judge.ts";
export type { Judge, JudgeRun } from "./judge.ts";
export { faithfulness, responseRating } from "./judge-metrics.ts";
export type { RatingCase, RatingVerdict } from "./rating-judge.ts";
export { ratingIn, ratingJudge, ratingProgram } from "./rating-judge.ts";
export type { Inquiry } from "./split-inquiry.ts";
export { splitInquiry } from "./split-inquiry.ts";
export type { SentenceMatchingOptions } from "./sentence-matching.ts";
export { sentenceMatching } from "./sentence-matching.ts";
