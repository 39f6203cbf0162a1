import type { Metric } from "../contract/index.ts";
import { metric } from "./metric.ts";
import type { RankedId, RelevantGrades } from "./ranked-ids.ts";
import { rankedIds } from "./ranked-ids.ts";
import type { RankingFormula } from "./ranking.ts";
import { ndcgAt, recallAt } from "./ranking.ts";
import { notApplicable, scored } from "./scores.ts";

/** Where the two sides are, by name: a misspelt one does not fit the study and does not compile. */
export interface RetrievalSides<TRanked extends string, TRelevant extends string> {
  /** Passages that count, at least 1. */
  readonly k: number;
  /** Output field with the passages found. None is a score of 0, not a reason to leave the row out. */
  readonly ranked: TRanked;
  /** Label with the grade of each judged passage; absent or none: the metric does not apply. */
  readonly relevant: TRelevant;
}

type RankingMetric<TRanked extends string, TRelevant extends string> = Metric<
  unknown,
  { readonly [K in TRanked]: readonly RankedId[] },
  { readonly [K in TRelevant]?: RelevantGrades }
>;

/**
 * Metric `recall_k`: the share of relevant passages among the first `k`. See `recallAt`.
 *
 * @example retrievalRecall({ k: 10, ranked: "passages", relevant: "relevant" })
 */
export function retrievalRecall<const TRanked extends string, const TRelevant extends string>(
  sides: RetrievalSides<TRanked, TRelevant>,
): RankingMetric<TRanked, TRelevant> {
  return rankingMetric(`recall_${sides.k}`, recallAt(sides.k), sides);
}

/** Metric `ndcg_cut_k`: rewards relevant passages more the higher they stand. See `ndcgAt`. */
export function retrievalNdcg<const TRanked extends string, const TRelevant extends string>(
  sides: RetrievalSides<TRanked, TRelevant>,
): RankingMetric<TRanked, TRelevant> {
  return rankingMetric(`ndcg_cut_${sides.k}`, ndcgAt(sides.k), sides);
}

function rankingMetric<TRanked extends string, TRelevant extends string>(
  name: string,
  formula: RankingFormula,
  { k, ranked, relevant }: RetrievalSides<TRanked, TRelevant>,
): RankingMetric<TRanked, TRelevant> {
  return metric({
    name,
    version: "1",
    score: ({ example, output }) => {
      const grades = example.labels[relevant] ?? {};
      if (Object.keys(grades).length === 0) return notApplicable("No passage was judged.");
      const run = output[ranked];
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
