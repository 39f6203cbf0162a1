import type { CandidateRecord } from "../../optimizer/index.ts";

/**
 * A candidate's value on val, and on how many of its examples it rests if it is an estimate. Where
 * the seed's value is one too, as by `jointSearch()`, so is that of a candidate that was run on all
 * of val, and the seed does not tell how many these are.
 */
export function valueText(
  { value, seen }: CandidateRecord["selection"],
  seed: CandidateRecord | undefined,
): string {
  const shown = value.toFixed(4);
  if (seen === undefined) return shown;
  if (seed?.selection.seen !== undefined) return `${shown} (estimate from ${seen} examples of val)`;
  const all = Object.keys(seed?.selection.scores ?? {}).length;
  return seen === all ? shown : `${shown} (estimate from ${seen} of ${all} examples of val)`;
}
