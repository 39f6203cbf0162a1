import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Records } from "../evidence/records.ts";
import type { Configuration } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";
import type { Estimate } from "../model/score-model.ts";
import { objectiveGain } from "./objective-gain.ts";

/**
 * Standard deviations above 0 that an expected gain must have. Longer searches choose among more
 * candidates, so chance has more to offer.
 */
const leastCertainty = { shortSearch: 1, longSearch: 1.75 };
/** In rollouts. */
const longSearch = 400;

/** The candidate that is expected to be best; the seed, unless a gain is likely. */
export function chosen(
  { initial }: Levers,
  evidence: Evidence,
  records: Records,
  {
    space,
    run,
    rollouts,
  }: { readonly space: SearchSpace; readonly run: OptimizerRun; readonly rollouts: number },
): CandidateRecord {
  const [seed, ...others] = records.log.candidates;
  if (seed === undefined) throw new RangeError("The search has no candidate.");
  const certainty = leastCertainty[rollouts < longSearch ? "shortSearch" : "longSearch"];
  const isMean = run.summarize("val", []).isMean;
  const gainOf = (configuration: Configuration): Estimate =>
    isMean
      ? evidence.gain(configuration, initial)
      : objectiveGain(space, run, {
          rollouts: evidence.trialOf(configuration)?.val ?? [],
          over: evidence.trialOf(initial)?.val ?? [],
        });
  let [best, most] = [seed, 0];
  for (const candidate of others) {
    const { mean, deviation } = gainOf(records.configurationOf(candidate));
    if (mean > certainty * deviation && mean > most) [best, most] = [candidate, mean];
  }
  return best;
}
