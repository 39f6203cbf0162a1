import { extractivenessOf } from "espalier/metric";
import { reciprocalRankFusion } from "espalier/retrieval";
import { arbitrate, extractivenessBonus, selectCandidate } from "../../programs/ails-ntua/index.ts";
import {
  fusionParameters,
  nestedFusion,
  nestedFusionOptions,
  rerankFusion,
  weightedFusion,
} from "../../programs/ails-ntua/retrieval/index.ts";
import type { ConformanceCheck } from "./check.ts";
import { agreeing, isNear } from "./check.ts";
import type { Scores, Vote, WorkedExamples } from "./worked-examples.ts";

const files = ["mtrag-eval/worked_examples.json"];
const tolerance = "1e-9";

function workedCheck(
  name: string,
  run: (worked: WorkedExamples) => Awaited<ReturnType<ConformanceCheck["run"]>>,
): ConformanceCheck {
  return {
    name,
    tolerance,
    files,
    run: async (data) => run(await data.json<WorkedExamples>("mtrag-eval/worked_examples.json")),
  };
}

const items = (ids: readonly string[]) => ids.map((id) => ({ id }));
type Ranked = readonly { readonly id: string; readonly score: number }[];

function haveScores(ranked: Ranked, scores: Scores): boolean {
  return (
    ranked.length === Object.keys(scores).length &&
    ranked.every(({ id, score }) => isNear(score, scores[id] ?? NaN))
  );
}

function areInOrder(ranked: Ranked, ids: readonly string[]): boolean {
  return ranked.length === ids.length && ranked.every(({ id }, index) => id === ids[index]);
}

export const programChecks: readonly ConformanceCheck[] = [
  workedCheck("RRF, k 60", ({ rrf_k60: { lists, scores } }) => {
    const weighted = lists.map((ids) => ({ items: items(ids), weight: 1 }));
    return agreeing(
      [reciprocalRankFusion(lists.map(items), { k0: 60 }), weightedFusion(weighted, 60)],
      (fused) => haveScores(fused, scores),
    );
  }),
  workedCheck("nested RRF, FiQA's constants", ({ nested_rrf_fiqa: example }) => {
    const defaults = Object.fromEntries(
      Object.entries(fusionParameters).map(([name, parameter]) => [name, parameter.default]),
    ) as Parameters<typeof nestedFusionOptions>[0];
    const options = nestedFusionOptions(defaults, "fiqa");
    const runs = {
      minimal: items(example.minimal),
      corpusSpecific: items(example.corpus_specific),
      chainOfThought: items(example.cot),
      hypothetical: items(example.hyde),
      anchorKeyword: items(example.anchor_keyword),
    };
    const { weights } = options.weak;
    const weak = weightedFusion(
      [
        { items: runs.anchorKeyword, weight: weights.anchorKeyword },
        { items: runs.chainOfThought, weight: weights.chainOfThought },
        { items: runs.hypothetical, weight: weights.hypothetical },
      ],
      options.weak.k0,
    );
    const final = nestedFusion(runs, options);
    const held = [
      haveScores(weak, example.weak_scores) && areInOrder(weak, example.weak),
      haveScores(final, example.final_scores) && areInOrder(final, example.final),
    ];
    return agreeing(held, (one) => one);
  }),
  workedCheck("hybrid rerank, equation 1", ({ eq1_hybrid_rerank: example }) => {
    const retrieved = items(example.retriever_rank.map((rank) => `d${rank}`));
    const reranked = items(
      example.reranker_rank
        .map((rank, index) => ({ rank, id: `d${index + 1}` }))
        .toSorted((left, right) => left.rank - right.rank)
        .map(({ id }) => id),
    );
    const fused = weightedFusion(
      [
        { items: retrieved, weight: 1 },
        { items: reranked, weight: example.alpha },
      ],
      example.k,
    );
    const order = rerankFusion(retrieved, reranked, { k0: example.k, weight: example.alpha });
    const scores = Object.fromEntries(example.scores.map((score, n) => [`d${n + 1}`, score]));
    const isSameOrder = order.every(({ id }, index) => id === fused[index]?.id);
    return agreeing(fused, ({ id, score }) => isSameOrder && isNear(score, scores[id] ?? NaN));
  }),
  workedCheck("bonus of extractiveness, equation 5", ({ phi }) =>
    agreeing(phi, ([share, bonus]) => extractivenessBonus(share) === bonus),
  ),
  workedCheck("extractiveness of 4-grams, and its bonus", ({ extractiveness4 }) =>
    agreeing(extractiveness4, ({ answer, spans, r4, phi }) => {
      const share = extractivenessOf({ answer, spans });
      return isNear(share, r4) && extractivenessBonus(share) === phi;
    }),
  ),
  workedCheck("selection of a candidate, equation 6", ({ selection }) =>
    agreeing(selection, (row) => {
      const { scores, choice } = selectCandidate({
        technical: { A: row.techA, B: row.techB },
        user: row.user,
        extractiveness: { A: row.r4A, B: row.r4B },
        hasForbiddenPhrase: { A: row.forbA, B: row.forbB },
      });
      return isNear(scores.A, row.scoreA) && isNear(scores.B, row.scoreB) && choice === row.choice;
    }),
  ),
  workedCheck("arbiter of three judges", ({ arbiter }) =>
    agreeing(arbiter, ({ j1, j2, j3, result: [verdict, confidence, rule] }) => {
      const judgement = ([said, sure]: Vote) => ({ verdict: said, confidence: sure });
      const given = { documents: judgement(j1), spans: judgement(j2), answer: judgement(j3) };
      const decided = arbitrate(given);
      return (
        decided.verdict === verdict &&
        decided.rule === rule &&
        isNear(decided.confidence, confidence)
      );
    }),
  ),
];
