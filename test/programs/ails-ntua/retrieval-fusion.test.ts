import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CorpusName } from "../../../programs/ails-ntua/retrieval/index.ts";
import {
  fusionParameters,
  nestedFusion,
  nestedFusionOptions,
  rerankFusion,
  weightedFusion,
} from "../../../programs/ails-ntua/retrieval/index.ts";
import { sharedData } from "../../support/shared-data.ts";

const items = (ids: readonly string[]) => ids.map((id) => ({ id }));
const idsOf = (ranked: readonly { readonly id: string }[]) => ranked.map(({ id }) => id);
const scoresOf = (ranked: readonly { readonly id: string; readonly score: number }[]) =>
  Object.fromEntries(ranked.map(({ id, score }) => [id, score]));

const defaults = Object.fromEntries(
  Object.entries(fusionParameters).map(([name, parameter]) => [name, parameter.default]),
) as Record<keyof typeof fusionParameters, number>;

// Computed apart from this code, by hand and in Python.
const worked = sharedData("mtrag-eval/worked_examples.json");
interface WorkedExamples {
  readonly rrf_k60: { readonly lists: string[][]; readonly scores: Record<string, number> };
  readonly nested_rrf_fiqa: Record<
    "anchor_keyword" | "cot" | "hyde" | "minimal" | "corpus_specific" | "weak" | "final",
    string[]
  > &
    Record<"weak_scores" | "final_scores", Record<string, number>>;
  readonly eq1_hybrid_rerank: { readonly reranker_rank: number[]; readonly scores: number[] };
}

describe.skipIf(worked.isAbsent)(`the fusions on worked examples${worked.note}`, () => {
  const examples = worked.isAbsent
    ? ({} as WorkedExamples)
    : (JSON.parse(readFileSync(worked.file, "utf8")) as WorkedExamples);

  it("score one level with k 60 as worked out", () => {
    const { lists, scores } = examples.rrf_k60;
    const fused = weightedFusion(
      lists.map((ids) => ({ items: items(ids), weight: 1 })),
      60,
    );
    closeTo(scoresOf(fused), scores);
  });

  it("score two levels as worked out for fiqa", () => {
    const example = examples.nested_rrf_fiqa;
    const runs = {
      minimal: items(example.minimal),
      corpusSpecific: items(example.corpus_specific),
      chainOfThought: items(example.cot),
      hypothetical: items(example.hyde),
      anchorKeyword: items(example.anchor_keyword),
    };
    const options = nestedFusionOptions(defaults, "fiqa");
    const fused = nestedFusion(runs, options);
    expect(idsOf(fused)).toEqual(example.final);
    closeTo(scoresOf(fused), example.final_scores);
    const weak = nestedFusion(
      { ...runs, minimal: [], corpusSpecific: [] },
      { ...options, k0: 0, weights: { minimal: 0, corpusSpecific: 0, weak: 1 } },
    );
    expect(idsOf(weak)).toEqual(example.weak);
  });

  it("score retriever and reranker as worked out", () => {
    const { reranker_rank: ranks, scores } = examples.eq1_hybrid_rerank;
    const retrieved = ranks.map((_, index) => ({ id: `d${index + 1}` }));
    const reranked = retrieved.toSorted(
      (one, other) => (ranks[retrieved.indexOf(one)] ?? 0) - (ranks[retrieved.indexOf(other)] ?? 0),
    );
    const fused = weightedFusion(
      [
        { items: retrieved, weight: 1 },
        { items: reranked, weight: 0.5 },
      ],
      60,
    );
    closeTo(scoresOf(fused), Object.fromEntries(scores.map((score, n) => [`d${n + 1}`, score])));
    expect(idsOf(rerankFusion(retrieved, reranked, { k0: 60, weight: 0.5 }))).toEqual(idsOf(fused));
  });
});

// Table 2 of the paper.
describe("the numbers of a collection", () => {
  it.each<[CorpusName, number, readonly [number, number, number]]>([
    ["clapnq", 20, [0.55, 0.4, 0.05]],
    ["fiqa", 60, [0.45, 0.4, 0.15]],
    ["govt", 40, [0.65, 0.25, 0.1]],
    ["cloud", 20, [0.65, 0.3, 0.05]],
    ["other", 20, [0.55, 0.4, 0.05]],
  ])("are the paper's for %s", (corpus, k0, [minimal, corpusSpecific, weak]) => {
    expect(nestedFusionOptions(defaults, corpus)).toEqual({
      k0,
      weights: { minimal, corpusSpecific, weak },
      weak: {
        k0: 40,
        weights: { anchorKeyword: 0.33, chainOfThought: 0.33, hypothetical: 0.34 },
      },
    });
  });
});

describe("ties", () => {
  const none = { chainOfThought: [], hypothetical: [], anchorKeyword: [] };
  const even = {
    k0: 60,
    weights: { minimal: 1, corpusSpecific: 1, weak: 1 },
    weak: { k0: 40, weights: { anchorKeyword: 1, chainOfThought: 1, hypothetical: 1 } },
  };

  it("stay in the order minimal, corpus-specific, weak, whatever the ids", () => {
    const runs = {
      ...none,
      minimal: items(["z"]),
      corpusSpecific: items(["m"]),
      hypothetical: items(["a"]),
    };
    expect(idsOf(nestedFusion(runs, even))).toEqual(["z", "m", "a"]);
  });

  it("of retriever and reranker stay as retrieved", () => {
    const retrieved = items(["z", "a"]);
    expect(idsOf(rerankFusion(retrieved, items(["a", "z"]), { k0: 60, weight: 1 }))).toEqual([
      "z",
      "a",
    ]);
  });

  it("of weights that are all 0 leave the order of first appearance", () => {
    const runs = { ...none, minimal: items(["b"]), corpusSpecific: items(["b", "a"]) };
    const silent = { ...even, weights: { minimal: 0, corpusSpecific: 0, weak: 0 } };
    expect(idsOf(nestedFusion(runs, silent))).toEqual(["b", "a"]);
  });
});

describe("a run", () => {
  it("that repeats an id counts its first place, and the next item comes second", () => {
    const fused = weightedFusion([{ items: items(["a", "a", "b"]), weight: 1 }], 60);
    expect(fused).toEqual([
      { id: "a", score: 1 / 61 },
      { id: "b", score: 1 / 62 },
    ]);
  });

  it("of a reranker that failed adds nothing, and what nobody retrieved is left out", () => {
    const retrieved = items(["a", "b"]);
    expect(idsOf(rerankFusion(retrieved, [], { k0: 60, weight: 0.5 }))).toEqual(["a", "b"]);
    const stray = rerankFusion(retrieved, items(["x", "b"]), { k0: 0, weight: 4 });
    expect(idsOf(stray)).toEqual(["b", "a"]);
  });
});

function closeTo(scores: Record<string, number>, expected: Record<string, number>): void {
  expect(Object.keys(scores).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [id, score] of Object.entries(expected)) expect(scores[id]).toBeCloseTo(score, 12);
}
