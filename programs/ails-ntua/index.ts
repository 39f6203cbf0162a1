export type { AilsRetrievalParts, CorpusName, RetrievalInput } from "./retrieval/index.ts";
export { ailsRetrieval } from "./retrieval/index.ts";
