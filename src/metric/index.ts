/**
 * What is good: metrics that turn one output into one score, with feedback that an optimizer can
 * read. Formulas are pure functions that agree with the official scripts to the last digit; the
 * metrics around them only say where to find the two sides. A metric knows no program, LM or
 * retriever, and holds no state.
 */
export type { AnswerSides } from "./answer-metrics.ts";
export { exactMatch, tokenF1 } from "./answer-metrics.ts";
export type { CollectionMean, CollectionMeans, QueryValue } from "./collection-means.ts";
export { collectionMeans } from "./collection-means.ts";
export { exactMatchOf, normalizeAnswer, tokenF1Of } from "./squad.ts";
export type { MetricDefinition } from "./metric.ts";
export { metric } from "./metric.ts";
export type { RankingFormula } from "./ranking.ts";
export { ndcgAt, recallAt } from "./ranking.ts";
export type { RankedId, RelevantGrades } from "./ranked-ids.ts";
export { rankedIds } from "./ranked-ids.ts";
export type { RetrievalSides } from "./retrieval-metrics.ts";
export { retrievalNdcg, retrievalRecall } from "./retrieval-metrics.ts";
export { notApplicable, scored, unscored } from "./scores.ts";
