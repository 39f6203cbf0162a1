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
  const renumbered = (event: OptimizerEvent): OptimizerEvent => {
    switch (event.kind) {
      case "run-start":
      case "run-end":
        return event;
      case "candidate-accepted": {
        const { candidate: id, parents, record: held } = event;
        return {
          ...event,
          iteration: iteration(event.iteration),
          candidate: candidate(id),
          parents: parents.map(candidate),
          record: record(held),
        };
      }
      case "candidate-refused":
        return { ...event, ...rejection(event) };
      case "candidate-proposed":
        return {
          ...event,
          iteration: iteration(event.iteration),
          parents: event.parents.map(candidate),
        };
      case "candidate-evaluated":
        return {
          ...event,
          iteration: iteration(event.iteration),
          candidate: event.candidate === "proposed" ? "proposed" : candidate(event.candidate),
        };
      case "candidate-confirmed":
      case "gold-replayed":
        return {
          ...event,
          iteration: iteration(event.iteration),
          candidate: candidate(event.candidate),
        };
      case "proposal-skipped":
        return {
          ...event,
          iteration: iteration(event.iteration),
          parent: candidate(event.parent),
        };
      case "iteration-end":
        return {
          ...event,
          iteration: iteration(event.iteration),
          accepted: event.accepted.map(candidate),
        };
      case "search-chosen":
      case "iteration-start":
      case "budget-spent":
      case "score-reuse-kept":
      case "score-reuse-ended":
        return { ...event, iteration: iteration(event.iteration) };
    }
  };
  return {
    candidate,
    iteration,
    record,
    rejection,
    lastIteration: () => last,
    emit: (event) => {
      if ("iteration" in event) last = Math.max(last, iteration(event.iteration));
      if (joined === undefined) emit(event);
      else if (event.kind === "candidate-accepted" && event.candidate === 0) confirm(event.record);
      else emit(renumbered(event));
    },
  };
}
