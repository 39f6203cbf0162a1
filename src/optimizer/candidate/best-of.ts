import type { CandidateRecord } from "./candidate-record.ts";

/**
 * The best of candidates in order of acceptance: the highest on val; of equal ones the one scored
 * on more examples, then the earlier, unless the later supersedes it. `undefined` for none.
 *
 * @param superseding ids of candidates that were accepted to take their parent's place
 */
export function bestOf(
  candidates: readonly CandidateRecord[],
  superseding: ReadonlySet<number> = none,
): CandidateRecord | undefined {
  let best: CandidateRecord | undefined;
  for (const one of candidates) {
    const isReplaced =
      best === undefined ||
      isBetter(one, best) ||
      (superseding.has(one.id) && one.parents.includes(best.id));
    if (isReplaced) best = one;
  }
  return best;
}

const none: ReadonlySet<number> = new Set();

function isBetter(one: CandidateRecord, other: CandidateRecord): boolean {
  const gain = one.selection.value - other.selection.value;
  return gain > 0 || (gain === 0 && scoredIn(one) > scoredIn(other));
}

function scoredIn({ selection }: CandidateRecord): number {
  return Object.values(selection.scores).filter((score) => score !== null).length;
}
