import type { JSX } from "preact";
import type { Member } from "../data/comparison-index.ts";
import { addressOf } from "../data/route.ts";

/** A candidate's name, which leads to its page: its number first, as names of runs are long. */
export function CandidateLink({
  source,
  candidate,
  isBest = false,
}: Member & { readonly isBest?: boolean }): JSX.Element {
  return (
    <a href={addressOf("candidate", { source, candidate: String(candidate) })}>
      candidate {candidate}
      {isBest && " (best)"} of {source}
    </a>
  );
}
