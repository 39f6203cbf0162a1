import { EspalierError } from "../../errors/index.ts";

/** An entry of a ranking; a higher score is better. */
export interface RankedId {
  readonly id: string;
  readonly score: number;
}

/**
 * Grades of one query's judged passages, by id. Grades of at least 1 mean relevant and are the
 * gain; others mean not relevant.
 */
export type RelevantGrades = Readonly<Record<string, number>>;

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

/**
 * Ids in the order in which trec_eval (9.0.8, `form_res_rels.c`) reads a run: by score as float32
 * descending, ties by id descending in the order of their UTF-8 bytes. The list's own order is
 * ignored. For a repeated id the last score counts, as in the dictionary that pytrec_eval takes.
 *
 * Throws `metric-failed` for a NaN score, which cannot be ordered.
 */
export function rankedIds(run: Iterable<RankedId>): readonly string[] {
  const scores = new Map<string, number>();
  for (const { id, score } of run) {
    if (Number.isNaN(score)) {
      throw new EspalierError({
        code: "metric-failed",
        problem: `Passage \`${id}\` has the score NaN and cannot be ranked`,
        expected: "a number, higher is better",
        fix: "Check the retriever or reranker for a division by zero.",
      });
    }
    scores.set(id, Math.fround(score));
  }
  return [...scores]
    .toSorted(([leftId, left], [rightId, right]) =>
      left === right ? compareBytes(rightId, leftId) : left < right ? 1 : -1,
    )
    .map(([id]) => id);
}

/** UTF-8 order is code point order; `<` on strings differs beyond the basic plane. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
