/**
 * Task A of AILS-NTUA: five rewriters, one sparse index, and two levels of rank fusion. The
 * programs of Tasks B and C use this retrieval.
 */
export type { AilsRetrievalParts, RetrievalCall } from "./ails-retrieval.ts";
export { ailsRetrieval, retrievalModules, retrieveByRewrites } from "./ails-retrieval.ts";
export type { CorpusName } from "./corpora.ts";
export { corpora } from "./corpora.ts";
export { fusedInOneLevel } from "./fused-in-one-level.ts";
export type { FusionParameters } from "./fusion-parameters.ts";
export { fusionParameters, nestedFusionOptions } from "./fusion-parameters.ts";
export type { HistoryWindow } from "./history-window.ts";
export type { NestedFusionOptions } from "./nested-fusion.ts";
export { nestedFusion } from "./nested-fusion.ts";
export { rerankFusion } from "./rerank-fusion.ts";
export type { RetrievalInput } from "./rewriters.ts";
export { retrievalInput } from "./rewriters.ts";
export type { Strategy } from "./strategies.ts";
export { strategies } from "./strategies.ts";
export { weightedFusion } from "./weighted-fusion.ts";
