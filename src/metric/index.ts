/**
 * Metrics that turn one output into one score, with feedback that an optimizer can read. Formulas
 * are pure functions that agree with the official scripts to the last digit; the metrics around
 * them only name the fields to compare. A metric knows no program, LM or retriever, and holds no
 * state.
 */
export type { AnswerMetric, AnswerSides, JudgedAnswer } from "./answer-metrics.ts";
export { accuracy, compoundAccuracy, exactMatch, hotpotF1, tokenF1 } from "./answer-metrics.ts";
export { asksBackByRule, declinesByRule } from "./conditioned/verdicts-by-rule.ts";
export type { BlamedPredictors } from "./score/blame.ts";
export { blameOn } from "./score/blame.ts";
export type {
  Answerability,
  ClarificationVerdict,
  ConditioningCase,
  IdkVerdict,
} from "./conditioned/conditioning.ts";
export { answerabilityOf, conditioned } from "./conditioned/conditioning.ts";
export { accuracyOf, compoundAccuracyOf } from "./formula/contained-answer.ts";
export type { Evidence } from "./conditioned/evidence.ts";
export type { Extract } from "./formula/extractiveness.ts";
export { extractivenessOf } from "./formula/extractiveness.ts";
export type {
  Generation,
  GenerationLabels,
  GenerationOutput,
  GenerationSides,
} from "./conditioned/generation-sides.ts";
export { generationOf } from "./conditioned/generation-sides.ts";
export type { GroundedSides, ReferenceSides } from "./grounded-metrics.ts";
export {
  extractiveness,
  lexicalAgreement,
  rougeL,
  tokenPrecision,
  tokenRecall,
} from "./grounded-metrics.ts";
export { harmonicMeanOf } from "./formula/harmonic-mean.ts";
export { hotpotF1Of, hotpotOverlapOf } from "./formula/hotpot-f1.ts";
export type {
  IdkConditionedOptions,
  JudgedGeneration,
  RawObjective,
} from "./conditioned/idk-conditioned.ts";
export { idkConditionedHarmonicMean } from "./conditioned/idk-conditioned.ts";
export type { GroundedResponse } from "./formula/lexical-agreement.ts";
export { lexicalAgreementOf } from "./formula/lexical-agreement.ts";
export { lexicalGenerationQuality } from "./conditioned/lexical-generation-quality.ts";
export type { ObjectiveMean } from "./score/objective-means.ts";
export { harmonicMeanOfMeans, objectiveMeans } from "./score/objective-means.ts";
export { pythonSplit, pythonTrimStart } from "./formula/python-text.ts";
export type { AgreementParts } from "./formula/rb-agg.ts";
export { rbAggOf } from "./formula/rb-agg.ts";
export { failureBeside, noReference, referenceIn } from "./score/reference-in.ts";
export { rougeLOf } from "./formula/rouge-l.ts";
export type { StepKind } from "./score/steps.ts";
export { negatedSteps, stepsIn } from "./score/steps.ts";
export type { TokenOverlap } from "./formula/token-overlap.ts";
export type { CollectionMean, CollectionMeans, QueryValue } from "./score/collection-means.ts";
export { collectionMeans } from "./score/collection-means.ts";
export {
  answerTokens,
  exactMatchOf,
  normalizeAnswer,
  tokenF1Of,
  tokenOverlapOf,
} from "./formula/squad.ts";
export type { MetricDefinition } from "./score/metric.ts";
export { metric } from "./score/metric.ts";
export type { RankingFormula } from "./formula/ranking.ts";
export { ndcgAt, recallAt } from "./formula/ranking.ts";
export type { RankedId, RelevantGrades } from "./formula/ranked-ids.ts";
export { rankedIds } from "./formula/ranked-ids.ts";
export type { JudgedRanking, RetrievalSides } from "./retrieval-metrics.ts";
export { retrievalNdcg, retrievalRecall } from "./retrieval-metrics.ts";
export { notApplicable, scored, unscored } from "./score/scores.ts";
