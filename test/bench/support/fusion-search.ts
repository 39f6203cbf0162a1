import type { Candidate, Example, LanguageModel } from "espalier";
import { metric, ndcgAt, recallAt, scored } from "espalier/metric";
import { optimize, parameterSearch } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import type { RecordedInput } from "../../../optimizers/support/recorded-turns.ts";
import { wordingsOfStrategies } from "../../../optimizers/support/recorded-wordings.ts";
import { fuseWordings } from "../../../programs/ails-ntua/index.ts";
import type { ConversationalLabels } from "../../../trainsets/conversational.ts";
import type { Collection, Ranking, Replay } from "./rewrites-on-mtrag.ts";

/** nDCG@5, which the search optimizes, together with R@5. */
export const ndcgOfTurns = metric<
  RecordedInput,
  { readonly passages: Ranking },
  ConversationalLabels
>({
  name: "ndcg_cut_5",
  version: "1",
  score: ({ example: { labels }, output: { passages } }) =>
    scored(ndcgAt(5)(passages, labels.relevant), undefined, [], {
      recall_5: recallAt(5)(passages, labels.relevant),
    }),
});

/** AILS-NTUA's nested fusion of the wordings in the roles of its strategies. */
export function replayedFusion({ sparse }: Pick<Replay, "sparse">) {
  return fuseWordings({ sparse, wordings: wordingsOfStrategies });
}

/** The result of a search on some turns of one collection. */
export interface FoundNumbers {
  readonly collection: Collection;
  readonly tried: number;
  /** nDCG@5 on the searched turns, with the paper's parameters and with the best ones. */
  readonly before: number;
  readonly best: number;
  readonly numbers: Candidate;
}

/**
 * Searches k and the three weights of one collection on its turns; texts and the weak level stay
 * fixed.
 */
export async function searchNumbers(
  collection: Collection,
  { turns, sparse }: Replay,
  { trials, seed }: { readonly trials: number; readonly seed: number },
): Promise<FoundNumbers> {
  const examples = turns
    .map(({ example }): Example<RecordedInput, ConversationalLabels> => example)
    .filter(({ input }) => input.corpus === collection);
  const names = ["K0", "Minimal", "CorpusSpecific", "Weak"].map((name) => `${collection}${name}`);
  const judged = trainset({
    name: `mtrag-${collection}`,
    version: "1",
    licence: "Apache-2.0",
    source: "Katsis et al. 2025",
    splits: { val: examples },
  });
  const { best, candidates, rejections } = await optimize(
    {
      program: replayedFusion({ sparse }),
      // A parameter search needs no training examples, only those that select.
      trainset: { ...judged, splits: { ...judged.splits, train: judged.splits.val } },
      objective: ndcgOfTurns,
    },
    { optimizer: parameterSearch({ trials, seed, parameters: names }), lm: unusedLm },
  );
  return {
    collection,
    tried: candidates.length + rejections.length,
    before: candidates[0]?.selection.value ?? Number.NaN,
    best: best.selection.value,
    numbers: best.components.filter(
      ({ kind, path }) => kind === "parameter" && names.includes(path),
    ),
  };
}

export const unusedLm: LanguageModel = {
  identity: { provider: "none", model: "none" },
  doGenerate: async () => {
    throw new Error("A replay must not call a language model.");
  },
};
