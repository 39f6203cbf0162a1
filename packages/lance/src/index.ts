/**
 * Passages in LanceDB: an embedded index in a folder or an object store, with a graph of near
 * vectors. Corpora are read as the indexes of `espalier/retrieval` do. Knows no program and no
 * command.
 */
export type { LanceIndex, LanceIndexOptions } from "./lance-index.ts";
export { lanceIndex } from "./lance-index.ts";
export type { LanceReport } from "./inspect-lance.ts";
