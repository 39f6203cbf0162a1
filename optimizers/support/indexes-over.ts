import type { Bm25Index, Corpus } from "espalier/retrieval";
import { bm25Index, denseIndex, lexicalReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import type { RetrievalData } from "./retrieval-data.ts";

/**
 * A keyword index and a dense index over a corpus, and a reranker. There is one
 * index file for each state of the texts, because an index never changes once it is built.
 */
export async function indexesOver(name: string, corpus: Corpus, parts: Parts) {
  const { sparse, dense } = await indexPair(name, corpus, parts);
  return { sparse, dense, reranker: rerankerOver(sparse, parts) };
}

/**
 * The same for collections that are searched each by itself. The mock of a reranker weighs
 * words by how often they occur in all of them.
 */
export async function indexesByCollection(
  name: string,
  { corpus, collections }: Pick<RetrievalData, "corpus" | "collections">,
  parts: Parts,
) {
  if (collections === undefined) return indexesOver(name, corpus, parts);
  const pairs = [];
  for (const [collection, searched] of Object.entries(collections)) {
    pairs.push([collection, await indexPair(`${name}-${collection}`, searched, parts)] as const);
  }
  const all = async () => bm25Index(indexFile(name, corpus));
  return {
    sparse: Object.fromEntries(pairs.map(([collection, { sparse }]) => [collection, sparse])),
    dense: Object.fromEntries(pairs.map(([collection, { dense }]) => [collection, dense])),
    reranker: parts.has("reranker") ? parts.reranker() : rerankerOver(await all(), parts),
  };
}

async function indexPair(name: string, corpus: Corpus, parts: Parts) {
  const index = indexFile(name, corpus);
  return {
    sparse: await bm25Index(index),
    dense: await denseIndex({ ...index, embedder: parts.embedder() }),
  };
}

function rerankerOver(index: Bm25Index, parts: Parts) {
  return parts.reranker({ mock: () => lexicalReranker({ index }) });
}

export function indexFile(name: string, corpus: Corpus) {
  return { path: `.espalier/${name}-${corpus.checksum.slice(0, 12)}.sqlite`, corpus };
}
