import type { CandidateRecord } from "../../optimizer/index.ts";

/**
 * A candidate's value on val, and on how many of its examples it rests where these are not all.
 * `seed`: the first candidate, which is run on all of val.
 */
export function valueText(
  { value, seen }: CandidateRecord["selection"],
  seed: CandidateRecord | undefined,
): string {
  const all = Object.keys(seed?.selection.scores ?? {}).length;
  const shown = value.toFixed(4);
  return seen === undefined || seen === all
    ? shown
    : `${shown} (estimate from ${seen} of ${all} examples of val)`;
}
