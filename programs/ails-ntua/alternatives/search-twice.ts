import { choice, int, predict, program, rankedPassages } from "espalier";
import { rewriteFromPassages, rewriteMinimally } from "../../../signatures/index.ts";
import { cutText } from "../../support/cut-text.ts";
import { withFallback } from "../../support/with-fallback.ts";
import { parsedOnce } from "../parsed-once.ts";
import { rankedSearch, rankedSearchParameters } from "../ranked-search.ts";
import type { AilsRetrievalParts } from "../retrieval/index.ts";
import { retrievalInput } from "../retrieval/index.ts";
import { recent } from "../retrieval/rewriters.ts";

/**
 * Passage-informed rewriting (AILS-NTUA, SemEval-2026 Task 8, appendix B.6), which they tried and
 * left: a first search, with the question or its minimal rewrite, and a second one with a query
 * that a model writes after reading what the first one found. The second ranking is the result. How
 * many passages the model reads, and how much of each, the paper does not say.
 */
export function searchTwice({
  sparse,
  reranker,
  sampling,
}: Pick<AilsRetrievalParts, "sparse" | "reranker" | "sampling">) {
  return program({
    name: "search-twice",
    version: "1",
    input: retrievalInput,
    output: { passages: rankedPassages() },
    predictors: {
      rewriteMinimally: predict(rewriteMinimally, parsedOnce(400, sampling)),
      rewriteFromPassages: predict(rewriteFromPassages, parsedOnce(400, sampling)),
    },
    parameters: {
      /** What the first search asks. */
      firstQuery: choice(["minimal", "last-turn"]),
      /** Of the first search; `ranking` is its order, and the second is as retrieved. */
      ...rankedSearchParameters,
      /** Passages of the first search that the model reads, and characters of each. */
      readPassages: int({ default: 5, min: 1, max: 20 }),
      readCharacters: int({ default: 1500, min: 100, max: 10_000 }),
    },
    forward: async (given, call) => {
      const { firstQuery, readPassages, readCharacters, k } = call.parameters;
      const { question, corpus } = given;
      const searched = { call, corpus, sparse, reranker };
      const query = firstQuery === "minimal" ? await minimal() : String(question);
      const found = await rankedSearch(query, { ...searched, key: "first" });
      const passages = found
        .slice(0, readPassages)
        .map((passage) => ({ ...passage, text: cutText(passage.text, readCharacters) }));
      const informed = await withFallback(
        async () =>
          (await call.predictors.rewriteFromPassages({ ...recent(given), query, passages }))
            .rewritten,
        { call, key: "informed-rewrite-failed", fallback: "" },
      );
      const second = await rankedSearch(informed.trim() === "" ? query : informed, {
        ...searched,
        ranking: "retrieved",
        key: "second",
      });
      return { passages: second.slice(0, k) };

      /** As the rewriters do it: the first question of a conversation stays as it is. */
      async function minimal(): Promise<string> {
        if (given.history.length === 0) return question;
        const rewritten = await withFallback(
          async () => (await call.predictors.rewriteMinimally(recent(given))).rewritten,
          { call, key: "minimal-failed", fallback: "" },
        );
        return rewritten.trim() === "" ? question : rewritten;
      }
    },
  });
}
