import { choice, program, rankedPassages, text } from "espalier";
import { rankedSearch, rankedSearchParameters } from "./ranked-search.ts";
import type { AilsRetrievalParts } from "./retrieval/index.ts";
import { retrievalInput, strategies } from "./retrieval/index.ts";
import type { HistoryWindow, Strategy } from "./retrieval/index.ts";
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
    version: "3",
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
      /**
       * The last turns that a rewriter reads: of the user, and after the `+` of the assistant
       * (table 18); `own`: as many as the authors give to that rewriter.
       */
      rewriterTurns: choice(["own", "none", "2", "4", "6", "8", "6+1", "6+3", "6+5", "all"]),
      ...rankedSearchParameters,
    },
    forward: async ({ standalone, ...given }, call) => {
      const { searchedBy, rewriterTurns, k } = call.parameters;
      const turn = query === "human-rewrite" ? (standalone ?? given.question) : given.question;
      const asked =
        searchedBy === "last-turn"
          ? turn
          : await rewrite(searchedBy, given, call, windowOf(rewriterTurns));
      const { corpus } = given;
      const found = await rankedSearch(asked, { call, corpus, sparse, reranker });
      return { passages: found.slice(0, k) };
    },
  });
}

/** `undefined`: each rewriter's own. */
function windowOf(turns: string): HistoryWindow | undefined {
  if (turns === "own") return undefined;
  if (turns === "all") return { user: Infinity, assistant: Infinity };
  const [user = 0, assistant = 0] = turns === "none" ? [] : turns.split("+").map(Number);
  return { user, assistant };
}
