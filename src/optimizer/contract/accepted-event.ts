import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerEvent } from "./optimizer-event.ts";

/**
 * The event for a new candidate, frozen as stored. It carries the whole record, except that
 * components equal to the first parent's are left out.
 */
export function acceptedEvent(
  candidate: CandidateRecord,
  candidates: readonly CandidateRecord[],
): OptimizerEvent {
  const { id, iteration, parents, selection, components } = candidate;
  const before = candidates[parents[0] ?? -1]?.components ?? [];
  return {
    kind: "candidate-accepted",
    iteration,
    candidate: id,
    parents,
    value: selection.value,
    record: Object.freeze({
      ...candidate,
      components: Object.freeze(components.filter((held, place) => held !== before[place])),
    }),
  };
}
