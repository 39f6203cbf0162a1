import type { RankedPassage } from "espalier";
import { choice, int, program, rankedPassages, real, text } from "espalier";
import { withFallback } from "../support/with-fallback.ts";
import type { AilsRetrievalParts } from "./retrieval/index.ts";
import { rerankFusion, retrievalInput, strategies } from "./retrieval/index.ts";
import type { Strategy } from "./retrieval/index.ts";
import { rewrite, rewriters } from "./retrieval/rewriters.ts";

/**
 * One search for a turn, as in the baselines of AILS-NTUA and of MTRAG: with the last turn as
 * typed, with the benchmark's human rewrite, or with one of the five rewrites alone. The reranker
 * may order what was found, alone or fused with the search (equation 1).
 */
export function searchOnce({
  sparse,
  reranker,
  sampling,
  query = "last-turn",
}: Pick<AilsRetrievalParts, "sparse" | "reranker" | "sampling"> & {
  /**
   * Initial value of the parameter `searchedBy`; or `human-rewrite`, which puts the input
   * `standalone` in the place of the last turn. No value of the parameter can: a search would
   * select the label. @default "last-turn"
   */
  readonly query?: "last-turn" | "human-rewrite" | Strategy;
}) {
  return program({
    name: "search-once",
    version: "1",
    input: {
      ...retrievalInput,
      /** A question without a rewrite makes sense as it is. */
      standalone: text("question", "The question as a person reworded it.").optional(),
    },
    output: { passages: rankedPassages() },
    predictors: rewriters(sampling),
    parameters: {
      searchedBy: choice(["last-turn", ...strategies], {
        default: query === "human-rewrite" ? "last-turn" : query,
      }),
      ranking: choice(["retrieved", "fused", "reranked"]),
      depth: int({ default: 100, min: 10, max: 200 }),
      rerankDepth: int({ default: 60, min: 1, max: 200 }),
      rerankK0: int({ default: 60, min: 1, max: 1000, isLogScale: true }),
      rerankWeight: real({ default: 0.5, min: 0, max: 4 }),
      k: int({ default: 10, min: 1, max: 100 }),
    },
    forward: async ({ standalone, ...given }, call) => {
      const { searchedBy, ranking, depth, rerankDepth, k, ...fusion } = call.parameters;
      const turn = query === "human-rewrite" ? (standalone ?? given.question) : given.question;
      const asked = searchedBy === "last-turn" ? turn : await rewrite(searchedBy, given, call);
      const index = "doRetrieve" in sparse ? sparse : sparse[given.corpus];
      const found = await call.retrieve(index, { query: asked, k: depth });
      const head = found.slice(0, rerankDepth);
      if (ranking === "retrieved" || reranker === undefined || head.length === 0) {
        return { passages: found.slice(0, k) };
      }
      const reranked = await withFallback<readonly RankedPassage[]>(
        () => call.rerank(reranker, { query: asked, passages: head, k: head.length }),
        { call, key: "rerank-failed", fallback: [] },
      );
      const ordered =
        ranking === "reranked" && reranked.length > 0
          ? reranked
          : rerankFusion(head, reranked, { k0: fusion.rerankK0, weight: fusion.rerankWeight });
      return { passages: [...ordered, ...found.slice(rerankDepth)].slice(0, k) };
    },
  });
}
