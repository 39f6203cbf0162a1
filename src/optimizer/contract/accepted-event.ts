import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerEvent } from "./optimizer-event.ts";

/**
 * Tells a new candidate, frozen as it is kept, with all that is known of it; of its components what
 * its first parent has not.
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
