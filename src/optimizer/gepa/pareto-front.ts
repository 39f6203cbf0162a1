import type { CandidateRecord } from "../candidate-record.ts";

/** For each example, the best score and who has it, by candidate id. Immutable. */
export type ParetoFront = ReadonlyMap<string, FrontEntry>;

export interface FrontEntry {
  readonly best: number;
  /** Ascending. */
  readonly ids: readonly number[];
}

export const emptyFront: ParetoFront = new Map();

/** The front with one more candidate; costs one look at each example. Ids must ascend. */
export function withCandidate(
  front: ParetoFront,
  { id, selection }: Pick<CandidateRecord, "id" | "selection">,
): ParetoFront {
  const next = new Map(front);
  for (const [exampleId, score] of Object.entries(selection.scores)) {
    if (score === null) continue;
    const held = front.get(exampleId);
    if (held === undefined || score > held.best) next.set(exampleId, { best: score, ids: [id] });
    else if (score === held.best) next.set(exampleId, { best: score, ids: [...held.ids, id] });
  }
  return next;
}
