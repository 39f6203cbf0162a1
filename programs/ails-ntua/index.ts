export type { AilsRetrievalParts, CorpusName, RetrievalInput } from "./retrieval/index.ts";
export { ailsRetrieval } from "./retrieval/index.ts";
export { rerankByLm, searchByType, searchParts, searchTwice } from "./alternatives/index.ts";
export { searchOnce } from "./search-once.ts";
export { fuseWordings, searchWordings } from "./wordings/index.ts";
export { ailsNtua } from "./ails-ntua.ts";
export type {
  ArbiterSettings,
  Arbitration,
  Judgement,
  Judgements,
  Verdict,
} from "./answerability/arbitrate.ts";
export { arbitrate, authorsArbiter } from "./answerability/arbitrate.ts";
export { ailsAnswer } from "./answerability/index.ts";
export type { GenerationOptions } from "./generation/index.ts";
export { ailsGeneration } from "./generation/index.ts";
export type { GenerationStage } from "./generation/stages.ts";
export { generationStages } from "./generation/stages.ts";
export type {
  CandidateName,
  ExtractivenessBand,
  PerCandidate,
  Selection,
  SelectionSignals,
  SelectionWeights,
  UserPreference,
} from "./generation/selection.ts";
export {
  authorsBand,
  authorsWeights,
  extractivenessBonus,
  selectCandidate,
} from "./generation/selection.ts";
