import type { CandidateRecord } from "../../optimizer/index.ts";

/** A candidate's value on val, and on how many examples it rests where these are not all. */
export function valueText({ value, seen }: CandidateRecord["selection"]): string {
  const shown = value.toFixed(4);
  return seen === undefined ? shown : `${shown} (estimate from ${seen} of val)`;
}
