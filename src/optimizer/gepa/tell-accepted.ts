import type { CandidateRecord } from "../candidate-record.ts";
import type { Search } from "./search.ts";

/** Journals a new candidate with all that is known of it; of its components what its parent has not. */
export function tellAccepted({ run, candidates }: Search, candidate: CandidateRecord): void {
  const { id, iteration, parents, selection, components } = candidate;
  const before = candidates[parents[0] ?? -1]?.components ?? [];
  run.emit({
    kind: "candidate-accepted",
    iteration,
    candidate: id,
    parents,
    value: selection.value,
    record: {
      ...candidate,
      components: components.filter((held, place) => held !== before[place]),
    },
  });
}
