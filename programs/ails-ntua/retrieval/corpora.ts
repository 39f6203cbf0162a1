/**
 * The collections of MTRAG, which have rewriters and fusion weights of their own. `other` is searched as
 * the authors searched a collection that they did not know: like `clapnq`.
 */
export const corpora = ["clapnq", "fiqa", "govt", "cloud", "other"] as const;
export type CorpusName = (typeof corpora)[number];
