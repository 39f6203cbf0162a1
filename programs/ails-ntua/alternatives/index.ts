/**
 * What AILS-NTUA tried in retrieval and left: other rewriters and rerankers of their appendix B, as
 * programs of their own beside the system. Where the paper does not say how, each says what was
 * decided here.
 */
export { rerankByLm } from "./rerank-by-lm.ts";
export { searchByType } from "./search-by-type.ts";
export { searchParts } from "./search-parts.ts";
export { searchTwice } from "./search-twice.ts";
