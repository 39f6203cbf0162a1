import type { Blame, Metric, Trace } from "../contract/index.ts";
import { metric } from "./score/metric.ts";
import type { RankedId, RankingFormula, RelevantGrades } from "./formula/ranking.ts";
import { ndcgAt, rankedIds, recallAt } from "./formula/ranking.ts";
import { notApplicable, scored } from "./score/scores.ts";

/** The names of the two fields; a misspelt name does not compile in a study. */
export interface RetrievalSides<TRanked extends string, TRelevant extends string> {
  /** Number of passages that count, at least 1. */
  readonly k: number;
  /** Output field with the retrieved passages. An empty list scores 0; the metric still applies. */
  readonly ranked: TRanked;
  /** Label with the grade of each judged passage; without any, the metric does not apply. */
  readonly relevant: TRelevant;
  /** Which parts of the program are responsible for the score, given the run. @default none */
  readonly blame?: (judged: JudgedRanking) => readonly Blame[];
}

/** Input of a blame rule. */
export interface JudgedRanking {
  readonly trace: Trace;
  readonly ranked: readonly RankedId[];
  readonly relevant: RelevantGrades;
  /** In [0, 1]. */
  readonly value: number;
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

/** Metric `ndcg_cut_k`: rewards relevant passages more the higher they rank. See `ndcgAt`. */
export function retrievalNdcg<const TRanked extends string, const TRelevant extends string>(
  sides: RetrievalSides<TRanked, TRelevant>,
): RankingMetric<TRanked, TRelevant> {
  return rankingMetric(`ndcg_cut_${sides.k}`, ndcgAt(sides.k), sides);
}

function rankingMetric<TRanked extends string, TRelevant extends string>(
  name: string,
  formula: RankingFormula,
  { k, ranked, relevant, blame }: RetrievalSides<TRanked, TRelevant>,
): RankingMetric<TRanked, TRelevant> {
  const unjudged = "No passage was judged.";
  const judgedIn = (labels: { readonly [K in TRelevant]?: RelevantGrades }): RelevantGrades =>
    labels[relevant] ?? {};
  const isJudged = (grades: RelevantGrades): boolean => Object.keys(grades).length > 0;
  const appliesTo = ({
    labels,
  }: {
    readonly labels: { readonly [K in TRelevant]?: RelevantGrades };
  }): boolean => isJudged(judgedIn(labels));
  return metric({
    name,
    version: "1",
    appliesTo,
    score: ({ example, output, trace }) => {
      const grades = judgedIn(example.labels);
      if (!isJudged(grades)) return notApplicable(unjudged);
      const run = output[ranked];
      const value = formula(run, grades);
      return scored(
        value,
        rankingFeedback(rankedIds(run), grades, k),
        blame?.({ trace, ranked: run, relevant: grades, value }),
      );
    },
    // A failed run found nothing, which counts only if there was something to find.
    formatFailure: ({ message }, example) =>
      appliesTo(example) ? scored(0, message) : notApplicable(unjudged),
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
