import type { Corpus } from "espalier/retrieval";
import { bm25Index, denseIndex, lexicalReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";

/**
 * A keyword index and a dense index over a corpus, and a reranker. There is one
 * index file for each state of the texts, because an index never changes once it is built.
 */
export async function indexesOver(name: string, corpus: Corpus, parts: Parts) {
  const index = { path: `.espalier/${name}-${corpus.checksum.slice(0, 12)}.sqlite`, corpus };
  const sparse = await bm25Index(index);
  return {
    sparse,
    dense: await denseIndex({ ...index, embedder: parts.embedder() }),
    reranker: parts.reranker({ standIn: () => lexicalReranker({ index: sparse }) }),
  };
}
