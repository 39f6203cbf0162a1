import type { Candidate } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { CandidateRecord, Refusal } from "../candidate-record.ts";
import type { ParetoFront } from "./pareto-front.ts";
import { emptyFront, withCandidate } from "./pareto-front.ts";

/** Where a run stands between two iterations. Each iteration makes a new one. */
export interface GepaState {
  readonly candidates: readonly CandidateRecord[];
  readonly front: ParetoFront;
  readonly refusals: readonly Refusal[];
  /** Place of the component that a candidate's next child changes, by candidate id. */
  readonly pointers: readonly number[];
  /** Hashes of candidates that rollouts were spent on. */
  readonly tried: ReadonlySet<string>;
  /** Examples of train on which a candidate is known to be perfect, by candidate id. */
  readonly perfect: readonly ReadonlySet<string>[];
  /** Iterations in a row that brought no new text to try. */
  readonly idle: number;
  /** Failures of the reflection LM in a row. */
  readonly reflectionFailures: number;
}

export const startState: GepaState = Object.freeze({
  candidates: [],
  front: emptyFront,
  refusals: [],
  pointers: [],
  tried: new Set<string>(),
  perfect: [],
  idle: 0,
  reflectionFailures: 0,
});

/** The state with one more candidate, whose children go on with the component after its own. */
export function withAccepted(
  state: GepaState,
  candidate: CandidateRecord,
  perfect: ReadonlySet<string>,
): GepaState {
  const pointer = Math.max(0, ...candidate.parents.map((parent) => state.pointers[parent] ?? 0));
  return {
    ...state,
    candidates: [...state.candidates, candidate],
    front: withCandidate(state.front, candidate),
    pointers: [...state.pointers, pointer],
    tried: new Set([...state.tried, candidateHash(candidate.components)]),
    perfect: [...state.perfect, perfect],
  };
}

/** The highest value; of equal ones the one with more scored examples, then the earlier. */
export function bestOf(candidates: readonly CandidateRecord[]): CandidateRecord | undefined {
  return candidates.toSorted(
    (one, other) =>
      other.selection.value - one.selection.value ||
      scoredIn(other) - scoredIn(one) ||
      one.id - other.id,
  )[0];
}

function scoredIn({ selection }: CandidateRecord): number {
  return Object.values(selection.scores).filter((score) => score !== null).length;
}

/** Tells candidates apart by what they hold. */
export function candidateHash(components: Candidate): string {
  return contentHash(components);
}
