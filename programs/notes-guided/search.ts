import type { RankedPassage, Retriever, Text } from "espalier";
import { reciprocalRankFusion } from "espalier/retrieval";
import { distinctPassages } from "../support/distinct-passages.ts";
import { withFallback } from "../support/with-fallback.ts";
import type { NotesGuidedParts, RetrievalCall } from "./retrieval-modules.ts";

/** Searches both indexes for all queries of a round; keeps the first `depth` of each fused list. */
export async function search(
  queries: readonly Text<"query">[],
  step: RetrievalCall,
  { sparse, dense }: { readonly sparse: Retriever; readonly dense: Retriever | undefined },
): Promise<readonly RankedPassage[]> {
  const { depth, k0, sparseWeight } = step.parameters;
  const fused = await Promise.all(
    queries.map(async (query, index) => {
      const request = { query, k: depth, key: index + 1 };
      const runs = await Promise.all([
        step.retrieve(sparse, request),
        ...(dense === undefined ? [] : [step.retrieve(dense, request)]),
      ]);
      const weights = dense === undefined ? [1] : [sparseWeight, 1 - sparseWeight];
      return reciprocalRankFusion(runs, { k0, weights }).slice(0, depth);
    }),
  );
  return distinctPassages(fused.flat());
}

/** Reranked, or ordered by the scores that the passages already have. */
export async function reranked(
  request: {
    readonly query: string;
    readonly passages: readonly RankedPassage[];
    readonly k: number;
  },
  step: RetrievalCall,
  { reranker }: Pick<NotesGuidedParts, "reranker">,
): Promise<readonly RankedPassage[]> {
  const unranked = byScore(request.passages).slice(0, request.k);
  if (reranker === undefined) return unranked;
  return withFallback(() => step.rerank(reranker, request), {
    call: step,
    key: "rerankingFailed",
    fallback: unranked,
  });
}

/** Scores relative to the best one, which becomes 1 if it is above 0. */
function byScore(passages: readonly RankedPassage[]): readonly RankedPassage[] {
  const sorted = passages.toSorted((left, right) => right.score - left.score);
  const best = sorted[0]?.score ?? 0;
  return best > 0 ? sorted.map((each) => ({ ...each, score: each.score / best })) : sorted;
}
