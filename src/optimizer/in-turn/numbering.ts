import { canonicalJson } from "../../internal/index.ts";
import type { CandidateRecord, Rejection, Selection } from "../candidate/candidate-record.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { OptimizerOutcome } from "../contract/optimizer.ts";

/**
 * Numbers of a part of a run, in those of the whole: its seed is the best candidate before it, its
 * other candidates and its iterations follow those before.
 */
export interface Numbering {
  candidate(id: number): number;
  iteration(iteration: number): number;
  record(record: CandidateRecord): CandidateRecord;
  rejection(rejection: Rejection): Rejection;
  emit(event: OptimizerEvent): void;
  /** In the whole run's numbers. */
  lastIteration(): number;
}

export function numbering({
  joined,
  iterations,
  emit,
}: {
  /** What the parts before have found; absent for the first. */
  readonly joined: OptimizerOutcome | undefined;
  /** Number of iterations before. */
  readonly iterations: number;
  readonly emit: (event: OptimizerEvent) => void;
}): Numbering {
  let last = iterations;
  const known = joined?.candidates.length ?? 0;
  const candidate = (id: number): number => {
    if (joined === undefined) return id;
    return id === 0 ? joined.best.id : known - 1 + id;
  };
  const iteration = (own: number): number => iterations + own;
  const record = (held: CandidateRecord): CandidateRecord =>
    joined === undefined
      ? held
      : Object.freeze({
          ...held,
          id: candidate(held.id),
          parents: Object.freeze(held.parents.map(candidate)),
          iteration: iteration(held.iteration),
        });
  const rejection = (held: Rejection): Rejection =>
    joined === undefined
      ? held
      : Object.freeze({
          ...held,
          parents: Object.freeze(held.parents.map(candidate)),
          iteration: iteration(held.iteration),
        });
  /** The start is in the journal already; only what is known of it may have changed. */
  const confirm = (held: CandidateRecord): void => {
    const before: Selection | undefined = joined?.best.selection;
    const { selection } = held;
    if (canonicalJson(before) === canonicalJson(selection)) return;
    const id = candidate(held.id);
    emit({ kind: "candidate-confirmed", iteration: iterations, candidate: id, selection });
  };
  const renumbered = (event: Extract<OptimizerEvent, { iteration: number }>): OptimizerEvent => ({
    ...event,
    iteration: iteration(event.iteration),
    ...("candidate" in event &&
      event.candidate !== "proposed" && { candidate: candidate(event.candidate) }),
    ...("parent" in event && { parent: candidate(event.parent) }),
    ...("parents" in event && { parents: Object.freeze(event.parents.map(candidate)) }),
    ...("accepted" in event && { accepted: event.accepted.map(candidate) }),
    ...("record" in event && { record: record(event.record) }),
  });
  return {
    candidate,
    iteration,
    record,
    rejection,
    lastIteration: () => last,
    emit: (event) => {
      if (!("iteration" in event)) return emit(event);
      last = Math.max(last, iteration(event.iteration));
      if (joined === undefined) emit(event);
      else if (event.kind === "candidate-accepted" && event.candidate === 0) confirm(event.record);
      else emit(renumbered(event));
    },
  };
}
