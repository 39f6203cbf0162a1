/**
 * Metrics that ask a language model: judges as small programs, the parsers of what they reply, and a
 * composed objective for grounded generation. A judge's LM is handed in or the run's own, and what it is
 * asked stands under the role `judge`. Knows programs and formulas; no evaluation, no data set. All
 * prompts are of our own wording, so that their figures stand beside published ones and are not them.
 */
export type { AgreementScores, AgreementService } from "./agreement.ts";
export { rbAgg } from "./agreement-metric.ts";
export { clarificationJudge, clarificationProgram } from "./clarification-judge.ts";
export { clarificationVerdictIn } from "./clarification-verdict-in.ts";
export type {
  FaithfulnessCase,
  FaithfulnessVerdict,
  JudgedStatement,
} from "./faithfulness-judge.ts";
export { faithfulnessJudge, faithfulnessProgram } from "./faithfulness-judge.ts";
export type { GenerationJudges, GenerationQualityOptions } from "./generation-quality.ts";
export { generationQuality } from "./generation-quality.ts";
export type { IdkCase } from "./idk-judge.ts";
export { idkJudge, idkProgram } from "./idk-judge.ts";
export { idkVerdictIn } from "./idk-verdict-in.ts";
export type { Judge, JudgeRun } from "./judge.ts";
export { faithfulness, responseRating } from "./judge-metrics.ts";
export { ratingIn } from "./rating-in.ts";
export type { RatingCase, RatingVerdict } from "./rating-judge.ts";
export { ratingJudge, ratingProgram } from "./rating-judge.ts";
export type { Inquiry } from "./split-inquiry.ts";
export { splitInquiry } from "./split-inquiry.ts";
export type { SentenceMatchingOptions } from "./sentence-matching.ts";
export { sentenceMatching } from "./sentence-matching.ts";
