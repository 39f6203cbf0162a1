import type { RankedPassage } from "espalier";
import { program, rankedPassages } from "espalier";
import type { Searched } from "../../support/by-collection.ts";
import type { Strategy } from "../retrieval/index.ts";
import {
  fusionParameters,
  nestedFusion,
  nestedFusionOptions,
  strategies,
} from "../retrieval/index.ts";
import { searchWording, wordingInput, wordingParameters } from "./wording-input.ts";

/**
 * The nested fusion of AILS-NTUA over wordings that are part of the input, each in the place of one
 * of the five rewrites: no LM is asked, and nothing is reranked.
 *
 * @param options.sparse one index, or one for each collection
 * @param options.wordings the name of the wording in each place
 */
export function fuseWordings({
  sparse,
  wordings,
}: {
  readonly sparse: Searched;
  readonly wordings: Readonly<Record<Strategy, string>>;
}) {
  return program({
    name: "fuse-wordings",
    version: "1",
    input: wordingInput,
    output: { passages: rankedPassages() },
    predictors: {},
    parameters: { ...wordingParameters, ...fusionParameters },
    forward: async (given, call) => {
      const runs = await Promise.all(
        strategies.map(async (strategy) => [
          strategy,
          await searchWording(wordings[strategy], given, { call, sparse }),
        ]),
      );
      const fused = nestedFusion(
        Object.fromEntries(runs) as Record<Strategy, readonly RankedPassage[]>,
        nestedFusionOptions(call.parameters, given.corpus),
      );
      return { passages: fused.slice(0, call.parameters.k) };
    },
  });
}
