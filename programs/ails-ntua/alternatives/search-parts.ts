import type { RankedPassage, Text } from "espalier";
import { int, predict, program, rankedPassages } from "espalier";
import { decomposeTurn } from "../../../signatures/index.ts";
import { withFallback } from "../../support/with-fallback.ts";
import { parsedOnce } from "../parsed-once.ts";
import type { AilsRetrievalParts } from "../retrieval/index.ts";
import { fusedInOneLevel, retrievalInput } from "../retrieval/index.ts";
import { recent } from "../retrieval/rewriters.ts";

/**
 * Decomposition (AILS-NTUA, SemEval-2026 Task 8, table 16), which they tried and left: a question
 * becomes several searches, whose rankings are fused with equal weights. The paper says no more of
 * it. As with their rewriters, the first question of a conversation stays as it is, and so does one
 * that cannot be split.
 */
export function searchParts({ sparse, sampling }: Pick<AilsRetrievalParts, "sparse" | "sampling">) {
  return program({
    name: "search-parts",
    version: "1",
    input: retrievalInput,
    output: { passages: rankedPassages() },
    predictors: { decomposeTurn: predict(decomposeTurn, parsedOnce(400, sampling)) },
    parameters: {
      /** Passages that each search retrieves. */
      depth: int({ default: 100, min: 10, max: 200 }),
      k: int({ default: 10, min: 1, max: 100 }),
    },
    forward: async (given, call) => {
      const { depth, k } = call.parameters;
      const { queries } = await withFallback<{ readonly queries: readonly Text<"query">[] }>(
        async () =>
          given.history.length === 0
            ? { queries: [] }
            : call.predictors.decomposeTurn(recent(given)),
        { call, key: "decomposition-failed", fallback: { queries: [] } },
      );
      const asked = [...new Set(queries.map((query) => query.trim()))].filter(Boolean);
      const searches = asked.length === 0 ? [given.question as string] : asked;
      const index = "doRetrieve" in sparse ? sparse : sparse[given.corpus];
      const rankings: readonly (readonly RankedPassage[])[] = await Promise.all(
        searches.map((query, position) =>
          call.retrieve(index, { query, k: depth, key: position + 1 }),
        ),
      );
      return { passages: fusedInOneLevel(rankings).slice(0, k) };
    },
  });
}
