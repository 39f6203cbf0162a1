import type { JSX } from "preact";
import type { Member } from "../data/comparison-index.ts";
import { addressOf } from "../data/route.ts";

/** A candidate's name, which leads to its page. */
export function CandidateLink({ source, candidate }: Member): JSX.Element {
  return (
    <a href={addressOf("candidate", { source, candidate: String(candidate) })}>
      {source}, candidate {candidate}
    </a>
  );
}
