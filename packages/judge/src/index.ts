/**
 * Metrics that ask a language model: judges as small programs, and MTRAG's score of grounded
 * answers, by judges or by rules alone. A judge uses its own LM or the run's, and its requests have
 * the role `judge`. All prompts are our own, so their figures are comparable to published ones but
 * not the same.
 */
export type { Answerability, ClarificationVerdict, IdkVerdict } from "./conditioning.ts";
export { answerabilityOf, conditioned } from "./conditioning.ts";
export { faithfulness } from "./faithfulness-judge.ts";
export { generationQuality } from "./generation-quality.ts";
export type { GenerationLabels, GenerationOutput } from "./generation-sides.ts";
export { idkVerdictIn } from "./idk-judge.ts";
export { ratingIn } from "./rating-judge.ts";
export type { GroundedResponse } from "./rb-agg.ts";
export { lexicalAgreementOf, rbAggOf } from "./rb-agg.ts";
export { declinesByRule, lexicalGenerationQuality } from "./lexical-generation-quality.ts";
export type { JudgedGeneration, RawObjective } from "./idk-conditioned.ts";
export { idkConditionedHarmonicMean } from "./idk-conditioned.ts";
export type { AgreementService } from "./sentence-matching.ts";
export { sentenceMatching } from "./sentence-matching.ts";
