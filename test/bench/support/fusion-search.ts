import type { Candidate, Example, LanguageModel } from "espalier";
import { program, rankedPassages, text } from "espalier";
import { metric, ndcgAt, recallAt, scored } from "espalier/metric";
import { optimize, parameterSearch } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import {
  fusionParameters,
  nestedFusion,
  nestedFusionOptions,
  retrievalModules,
} from "../../../programs/ails-ntua/retrieval/index.ts";
import type { Collection, Ranking, ReplayedTurn, Wording } from "./rewrites-on-mtrag.ts";
import { collections } from "./rewrites-on-mtrag.ts";

/**
 * Recorded wordings in the roles of the five strategies; none of them saw the human rewrite. The
 * two with full history only resolve references, `informative` adds the domain's words,
 * `aggressive` is keywords, and `dhRag` expands with the dialogue.
 */
export const parts = {
  minimal: "sonnet4",
  corpusSpecific: "informative",
  chainOfThought: "mixtral",
  hypothetical: "dhRag",
  anchorKeyword: "aggressive",
} as const satisfies Readonly<Record<string, Wording>>;

type TurnExample = Example<
  { readonly turn: string; readonly corpus: Collection },
  { readonly relevant: Readonly<Record<string, number>> }
>;

/** A turn as an example: conversations are clusters. */
export function exampleOf({ id, conversation, collection, relevant }: ReplayedTurn): TurnExample {
  return {
    id,
    cluster: conversation,
    input: { turn: id, corpus: collection },
    labels: { relevant },
  };
}

/** nDCG@5, which the search optimizes, together with R@5. */
export const ndcgOfTurns = metric<
  TurnExample["input"],
  { readonly passages: Ranking },
  TurnExample["labels"]
>({
  name: "ndcg_cut_5",
  version: "1",
  score: ({ example: { labels }, output: { passages } }) =>
    scored(ndcgAt(5)(passages, labels.relevant), undefined, [], {
      recall_5: recallAt(5)(passages, labels.relevant),
    }),
});

/**
 * AILS-NTUA's nested fusion over recorded rankings; uses the paper's parameters unless a candidate
 * overrides them.
 */
export function replayedFusion(turns: readonly ReplayedTurn[]) {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  return program({
    name: "replayed-fusion",
    version: "1",
    input: { turn: text("turn"), corpus: z.enum(collections) },
    output: { passages: rankedPassages() },
    // A program needs predictors; these are never called, because their rewrites are recorded.
    predictors: retrievalModules().predictors,
    parameters: fusionParameters,
    forward: async ({ turn, corpus }, { parameters }) => {
      const rankings = byId.get(turn)?.rankings;
      if (rankings === undefined) throw new Error(`Turn ${turn} was not replayed.`);
      const of = (wording: Wording) => rankings[wording].map((found) => ({ ...found, text: "" }));
      const fused = nestedFusion(
        {
          minimal: of(parts.minimal),
          corpusSpecific: of(parts.corpusSpecific),
          chainOfThought: of(parts.chainOfThought),
          hypothetical: of(parts.hypothetical),
          anchorKeyword: of(parts.anchorKeyword),
        },
        nestedFusionOptions(parameters, corpus),
      );
      return { passages: fused.slice(0, 10) };
    },
  });
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
  turns: readonly ReplayedTurn[],
  { trials, seed }: { readonly trials: number; readonly seed: number },
): Promise<FoundNumbers> {
  const examples = turns.filter((turn) => turn.collection === collection).map(exampleOf);
  const names = ["K0", "Minimal", "CorpusSpecific", "Weak"].map((name) => `${collection}${name}`);
  const judged = trainset({
    name: `mtrag-${collection}`,
    version: "1",
    licence: "Apache-2.0",
    source: "Katsis et al. 2025",
    splits: { val: examples },
  });
  const { best, candidates, refusals } = await optimize(
    {
      program: replayedFusion(turns),
      // A parameter search needs no training examples, only those that select.
      trainset: { ...judged, splits: { ...judged.splits, train: judged.splits.val } },
      objective: ndcgOfTurns,
    },
    { optimizer: parameterSearch({ trials, seed, parameters: names }), lm: neverAsked },
  );
  return {
    collection,
    tried: candidates.length + refusals.length,
    before: candidates[0]?.selection.value ?? Number.NaN,
    best: best.selection.value,
    numbers: best.components.filter(
      ({ kind, path }) => kind === "parameter" && names.includes(path),
    ),
  };
}

export const neverAsked: LanguageModel = {
  identity: { provider: "none", model: "none" },
  doGenerate: async () => {
    throw new Error("A replay must not call a language model.");
  },
};
