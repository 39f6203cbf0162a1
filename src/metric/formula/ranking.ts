import { EspalierError } from "../../errors/index.ts";
import type { RankedId, RelevantGrades } from "./ranked-ids.ts";
import { rankedIds } from "./ranked-ids.ts";

/** Scores the ranking of one query against its judged passages; the result is in [0, 1]. */
export type RankingFormula = (run: Iterable<RankedId>, relevant: RelevantGrades) => number;

/**
 * Share of the relevant passages among the first `k`, as pytrec_eval's `recall_k` (trec_eval 9,
 * `m_recall.c`). 0 when the run is empty or nothing is relevant.
 */
export function recallAt(k: number): RankingFormula {
  refuseBadCut(k);
  return (run, relevant) => {
    const total = Object.values(relevant).filter((grade) => grade > 0).length;
    if (total === 0) return 0;
    const found = rankedIds(run)
      .slice(0, k)
      .filter((id) => gradeOf(relevant, id) > 0);
    return found.length / total;
  };
}

/**
 * Discounted gain of the first `k` over that of the best possible first `k`, as pytrec_eval's
 * `ndcg_cut_k` (trec_eval 9, `m_ndcg_cut.c`): the gain is the grade, the discount
 * log2(rank + 1) with ranks from 1. 0 when the run is empty or nothing is relevant.
 */
export function ndcgAt(k: number): RankingFormula {
  refuseBadCut(k);
  return (run, relevant) => {
    const ideal = Object.values(relevant)
      .map((grade) => Math.max(grade, 0))
      .toSorted((left, right) => right - left);
    const best = discounted(ideal.slice(0, k));
    if (best === 0) return 0;
    const gains = rankedIds(run).map((id) => gradeOf(relevant, id));
    return discounted(gains.slice(0, k)) / best;
  };
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

/** An id such as `constructor` must not find an inherited property. */
function gradeOf(relevant: RelevantGrades, id: string): number {
  return Object.hasOwn(relevant, id) ? Math.max(relevant[id] ?? 0, 0) : 0;
}

function refuseBadCut(k: number): void {
  if (Number.isInteger(k) && k >= 1) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The cut-off of the ranking metric is invalid",
    expected: "`k`, a whole number of at least 1",
    got: String(k),
  });
}
