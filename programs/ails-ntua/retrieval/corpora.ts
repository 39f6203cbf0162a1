/**
 * The collections of MTRAG, each with its own rewriter and fusion weights. `other` is treated as
 * the authors treat unknown collections: like `clapnq`.
 */
export const corpora = ["clapnq", "fiqa", "govt", "cloud", "other"] as const;
export type CorpusName = (typeof corpora)[number];
