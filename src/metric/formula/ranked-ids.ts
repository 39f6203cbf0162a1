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
