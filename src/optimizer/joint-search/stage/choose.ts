import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Records } from "../evidence/records.ts";
import type { Levers } from "../lever/levers.ts";

/**
 * Standard deviations above 0 that an expected gain must have. Longer searches choose among more
 * candidates, so chance has more to offer.
 */
const leastCertainty = { shortSearch: 1, longSearch: 1.5 };
/** In rollouts. */
const longSearch = 400;

/** The candidate that is expected to be best; the seed, unless a gain is likely. */
export function chosen(
  { initial }: Levers,
  evidence: Evidence,
  records: Records,
  { isMean, rollouts }: { readonly isMean: boolean; readonly rollouts: number },
): CandidateRecord {
  const [seed, ...others] = records.candidates;
  if (seed === undefined) throw new RangeError("The search has no candidate.");
  const certainty = leastCertainty[rollouts < longSearch ? "shortSearch" : "longSearch"];
  let [best, most] = [seed, 0];
  for (const candidate of others) {
    const { mean, deviation } = evidence.gain(records.configurationOf(candidate), initial);
    const gain = isMean ? mean : candidate.selection.value - seed.selection.value;
    const isLikely = !isMean || mean > certainty * deviation;
    if (isLikely && gain > most) [best, most] = [candidate, gain];
  }
  return best;
}
