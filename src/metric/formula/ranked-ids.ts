import { EspalierError } from "../../errors/index.ts";

/** A passage as a ranking holds it; a higher score is better. */
export interface RankedId {
  readonly id: string;
  readonly score: number;
}

/** Judged passages of one query by id. 1 and up is relevant, and the gain; 0 and below is not. */
export type RelevantGrades = Readonly<Record<string, number>>;

/**
 * Ids in the order in which trec_eval (9.0.8, `form_res_rels.c`) reads a run: by score as float32
 * descending, ties by id descending in the order of their UTF-8 bytes. The order of the list plays
 * no part. Of a repeated id the last score counts, as in the dictionary that pytrec_eval takes.
 *
 * Throws `metric-failed` for a score that is NaN, which has no place in an order.
 */
export function rankedIds(run: Iterable<RankedId>): readonly string[] {
  const scores = new Map<string, number>();
  for (const { id, score } of run) {
    if (Number.isNaN(score)) {
      throw new EspalierError({
        code: "metric-failed",
        problem: `Passage \`${id}\` has the score NaN and cannot be ranked`,
        expected: "a number, higher is better",
        fix: "Look in the retriever or reranker for a division by zero.",
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

/** UTF-8 order is code point order, which `<` on strings is not beyond the basic plane. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
