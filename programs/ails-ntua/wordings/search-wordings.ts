import { program, rankedPassages } from "espalier";
import type { Searched } from "../../support/by-collection.ts";
import { fusedInOneLevel } from "../retrieval/index.ts";
import { searchWording, wordingInput, wordingParameters } from "./wording-input.ts";

/**
 * One search for each of some wordings of a turn, fused in one level. The wordings are part of the
 * input, so that no LM is asked: what a person wrote, or what a model was recorded to write.
 *
 * @param options.sparse one index, or one for each collection
 * @param options.wordings their names, at least one
 */
export function searchWordings({
  sparse,
  wordings,
}: {
  readonly sparse: Searched;
  readonly wordings: readonly string[];
}) {
  return program({
    name: "search-wordings",
    version: "1",
    input: wordingInput,
    output: { passages: rankedPassages() },
    predictors: {},
    parameters: wordingParameters,
    forward: async (given, call) => {
      const rankings = await Promise.all(
        wordings.map((name) => searchWording(name, given, { call, sparse })),
      );
      return { passages: fusedInOneLevel(rankings).slice(0, call.parameters.k) };
    },
  });
}
