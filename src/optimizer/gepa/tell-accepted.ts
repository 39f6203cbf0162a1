import { acceptedEvent } from "../contract/accepted-event.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { Search } from "./search.ts";

/** Journals a new candidate. */
export function tellAccepted({ run, candidates }: Search, candidate: CandidateRecord): void {
  run.emit(acceptedEvent(candidate, candidates));
}
