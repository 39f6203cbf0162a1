import type { CandidateRecord } from "../../optimizer/index.ts";
import { shownQuality } from "../../optimizer/index.ts";

/**
 * A candidate's value on val, and on how many of its examples it rests if it is an estimate, which
 * it may be after all of them. Where the seed's value is one too, as by `jointSearch()`, the seed
 * does not tell how many there are.
 */
export function valueText(
  selection: CandidateRecord["selection"],
  seed: CandidateRecord | undefined,
): string {
  const { seen } = selection;
  const shown = shownQuality(selection, seed).toFixed(4);
  if (seen === undefined) return shown;
  if (seen === 0) return `${shown} (estimate, not run on val)`;
  const isAllKnown = seed !== undefined && seed.selection.seen === undefined;
  const all = isAllKnown ? ` of ${Object.keys(seed.selection.scores).length}` : "";
  const noun = seen === 1 && !isAllKnown ? "example" : "examples";
  return `${shown} (estimate from ${seen}${all} ${noun} of val)`;
}
