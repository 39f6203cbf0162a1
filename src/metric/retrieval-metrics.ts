import type { Example, Metric } from "../contract/index.ts";
import { metric } from "./metric.ts";
import type { RankedId, RelevantGrades } from "./ranked-ids.ts";
import { rankedIds } from "./ranked-ids.ts";
import type { RankingFormula } from "./ranking.ts";
import { ndcgAt, recallAt } from "./ranking.ts";
import { notApplicable, scored } from "./scores.ts";

export interface RetrievalSides<TInput, TOutput, TLabels> {
  /** Passages that count, at least 1. */
  readonly k: number;
  /** Judged passages of the example; `undefined` or none: the metric does not apply. */
  readonly relevant: (example: Example<TInput, TLabels>) => RelevantGrades | undefined;
  /** Passages that the program found. None is a score of 0, not a reason to leave the row out. */
  readonly ranked: (output: TOutput) => readonly RankedId[];
}

/** Metric `recall_k`: the share of relevant passages among the first `k`. See `recallAt`. */
export function retrievalRecall<TInput, TOutput, TLabels>(
  sides: RetrievalSides<TInput, TOutput, TLabels>,
): Metric<TInput, TOutput, TLabels> {
  return rankingMetric(`recall_${sides.k}`, recallAt(sides.k), sides);
}

/** Metric `ndcg_cut_k`: rewards relevant passages more the higher they stand. See `ndcgAt`. */
export function retrievalNdcg<TInput, TOutput, TLabels>(
  sides: RetrievalSides<TInput, TOutput, TLabels>,
): Metric<TInput, TOutput, TLabels> {
  return rankingMetric(`ndcg_cut_${sides.k}`, ndcgAt(sides.k), sides);
}

function rankingMetric<TInput, TOutput, TLabels>(
  name: string,
  formula: RankingFormula,
  { k, relevant, ranked }: RetrievalSides<TInput, TOutput, TLabels>,
): Metric<TInput, TOutput, TLabels> {
  return metric<TInput, TOutput, TLabels>({
    name,
    version: "1",
    score: ({ example, output }) => {
      const grades = relevant(example) ?? {};
      if (Object.keys(grades).length === 0) return notApplicable("No passage was judged.");
      const run = ranked(output);
      return scored(formula(run, grades), rankingFeedback(rankedIds(run), grades, k));
    },
  });
}

function rankingFeedback(ids: readonly string[], grades: RelevantGrades, k: number): string {
  const places = Object.keys(grades)
    .filter((id) => (grades[id] ?? 0) > 0)
    .map((id) => ({ id, rank: ids.indexOf(id) + 1 }));
  const found = places.filter(({ rank }) => rank >= 1 && rank <= k);
  const missing = places.filter((place) => !found.includes(place));
  return [
    `Found ${found.length} of ${places.length} relevant passages among the first ${k} of ${ids.length}`,
    ...(found.length === 0 ? [] : [`found: ${found.map(placed).join(", ")}`]),
    ...(missing.length === 0 ? [] : [`missing: ${missing.map(placed).join(", ")}`]),
  ]
    .join("; ")
    .concat(".");
}

function placed({ id, rank }: { readonly id: string; readonly rank: number }): string {
  return rank === 0 ? `${id} (not retrieved)` : `${id} (rank ${rank})`;
}
