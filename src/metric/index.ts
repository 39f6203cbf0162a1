/**
 * What is good: metrics that turn one output into one score, with feedback that an optimizer can
 * read. Formulas are pure functions that agree with the official scripts to the last digit; the
 * metrics around them only say where to find the two sides. A metric knows no program, LM or
 * retriever, and holds no state.
 */
export type { AnswerMetric, AnswerSides, JudgedAnswer } from "./answer-metrics.ts";
export { accuracy, compoundAccuracy, exactMatch, hotpotF1, tokenF1 } from "./answer-metrics.ts";
export { asksBackByRule } from "./asking-back.ts";
export type { BlamedPredictors } from "./blame.ts";
export { blameOn } from "./blame.ts";
export type {
  Answerability,
  ClarificationVerdict,
  ConditioningCase,
  IdkVerdict,
} from "./conditioning.ts";
export { answerabilityOf, conditioned } from "./conditioning.ts";
export { accuracyOf, compoundAccuracyOf } from "./contained-answer.ts";
export { declinesByRule } from "./declining.ts";
export type { Evidence } from "./evidence.ts";
export type { Extract } from "./extractiveness.ts";
export { extractivenessOf } from "./extractiveness.ts";
export type {
  Generation,
  GenerationLabels,
  GenerationOutput,
  GenerationSides,
} from "./generation-sides.ts";
export { generationOf } from "./generation-sides.ts";
export type { GroundedSides, ReferenceSides } from "./grounded-metrics.ts";
export {
  extractiveness,
  lexicalAgreement,
  rougeL,
  tokenPrecision,
  tokenRecall,
} from "./grounded-metrics.ts";
export { harmonicMeanOf } from "./harmonic-mean.ts";
export { hotpotF1Of, hotpotOverlapOf } from "./hotpot-f1.ts";
export type { IdkConditionedOptions, JudgedGeneration, RawObjective } from "./idk-conditioned.ts";
export { idkConditionedHarmonicMean } from "./idk-conditioned.ts";
export type { GroundedResponse } from "./lexical-agreement.ts";
export { lexicalAgreementOf } from "./lexical-agreement.ts";
export { lexicalGenerationQuality } from "./lexical-generation-quality.ts";
export type { ObjectiveMean } from "./objective-means.ts";
export { harmonicMeanOfMeans, objectiveMeans } from "./objective-means.ts";
export { pythonSplit, pythonTrimStart } from "./python-text.ts";
export type { AgreementParts } from "./rb-agg.ts";
export { rbAggOf } from "./rb-agg.ts";
export { failureBeside, noReference, referenceIn } from "./reference-in.ts";
export { rougeLOf } from "./rouge-l.ts";
export type { StepKind } from "./steps.ts";
export { negatedSteps, stepsIn } from "./steps.ts";
export type { TokenOverlap } from "./token-overlap.ts";
export type { CollectionMean, CollectionMeans, QueryValue } from "./collection-means.ts";
export { collectionMeans } from "./collection-means.ts";
export { answerTokens, exactMatchOf, normalizeAnswer, tokenF1Of, tokenOverlapOf } from "./squad.ts";
export type { MetricDefinition } from "./metric.ts";
export { metric } from "./metric.ts";
export type { RankingFormula } from "./ranking.ts";
export { ndcgAt, recallAt } from "./ranking.ts";
export type { RankedId, RelevantGrades } from "./ranked-ids.ts";
export { rankedIds } from "./ranked-ids.ts";
export type { JudgedRanking, RetrievalSides } from "./retrieval-metrics.ts";
export { retrievalNdcg, retrievalRecall } from "./retrieval-metrics.ts";
export { notApplicable, scored, unscored } from "./scores.ts";
