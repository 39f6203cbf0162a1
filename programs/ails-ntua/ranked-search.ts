import type { Call, PassageReranker, RankedPassage } from "espalier";
import { choice, int, real } from "espalier";
import { scoredByPlace } from "../support/scored-by-place.ts";
import { withFallback } from "../support/with-fallback.ts";
import type { AilsRetrievalParts, CorpusName } from "./retrieval/index.ts";
import { rerankFusion } from "./retrieval/index.ts";

/** The parameters of one search, for the programs that make one or two. */
export const rankedSearchParameters = {
  ranking: choice(["retrieved", "fused", "reranked"]),
  depth: int({ default: 100, min: 10, max: 200 }),
  rerankDepth: int({ default: 60, min: 1, max: 200 }),
  rerankK0: int({ default: 60, min: 1, max: 1000, isLogScale: true }),
  rerankWeight: real({ default: 0.5, min: 0, max: 4 }),
  k: int({ default: 10, min: 1, max: 100 }),
} as const;

/**
 * What one query finds in a collection's index: as retrieved, or ordered by the reranker, alone or
 * fused with the search (equation 1); scores then fall by place. A reranker that fails leaves the
 * order of the search.
 *
 * @param key tells several searches of one run apart
 */
export async function rankedSearch(
  query: string,
  {
    call,
    corpus,
    sparse,
    reranker,
    ranking = call.parameters.ranking,
    key,
  }: Pick<AilsRetrievalParts, "sparse"> & {
    readonly call: Call<Record<never, never>, typeof rankedSearchParameters>;
    readonly corpus: CorpusName;
    readonly reranker?: PassageReranker | undefined;
    readonly ranking?: "retrieved" | "fused" | "reranked";
    readonly key?: string;
  },
): Promise<readonly RankedPassage[]> {
  const { depth, rerankDepth, rerankK0: k0, rerankWeight: weight } = call.parameters;
  const index = "doRetrieve" in sparse ? sparse : sparse[corpus];
  const named = key === undefined ? {} : { key };
  const found = await call.retrieve(index, { query, k: depth, ...named });
  const head = found.slice(0, rerankDepth);
  if (ranking === "retrieved" || reranker === undefined || head.length === 0) return found;
  const reranked = await withFallback<readonly RankedPassage[]>(
    () => call.rerank(reranker, { query, passages: head, k: head.length, ...named }),
    { call, key: "rerank-failed", fallback: [] },
  );
  const ordered =
    ranking === "reranked" && reranked.length > 0
      ? reranked
      : rerankFusion(head, reranked, { k0, weight });
  return scoredByPlace([...ordered, ...found.slice(rerankDepth)]);
}
