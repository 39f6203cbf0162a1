/**
 * Metrics that turn one output into one score, with feedback that an optimizer can read. Formulas
 * are pure functions that agree with the official scripts to the last digit; the metrics around
 * them only name the fields to compare. A metric knows no program, LM or retriever, and holds no
 * state.
 */
export type { AnswerMetric, AnswerSides, JudgedAnswer } from "./answer-metrics.ts";
export { accuracy, exactMatch, tokenF1 } from "./answer-metrics.ts";
export type { BlamedPredictors } from "./score/blame.ts";
export { blameOn } from "./score/blame.ts";
export {
  accuracyOf,
  compoundAccuracyOf,
  answerTokens,
  exactMatchOf,
  normalizeAnswer,
  tokenF1Of,
  tokenOverlapOf,
} from "./formula/squad.ts";
export type { Extract } from "./formula/extractiveness.ts";
export { extractivenessOf } from "./formula/extractiveness.ts";
export { harmonicMeanOf } from "./formula/harmonic-mean.ts";
export { rougeLOf } from "./formula/rouge.ts";
export { pythonSplit, pythonTrimStart } from "./formula/python-text.ts";
export type { TokenOverlap } from "./formula/squad.ts";
export type { CollectionMean, CollectionMeans, QueryValue } from "./score/collection-means.ts";
export { collectionMeans } from "./score/collection-means.ts";
export type { MetricDefinition } from "./score/metric.ts";
export { metric } from "./score/metric.ts";
export type { RankedId, RankingFormula, RelevantGrades } from "./formula/ranking.ts";
export { ndcgAt, recallAt } from "./formula/ranking.ts";
export type { JudgedRanking, RetrievalSides } from "./retrieval-metrics.ts";
export { retrievalNdcg, retrievalRecall } from "./retrieval-metrics.ts";
export { notApplicable, scored, unscored } from "./score/scores.ts";
