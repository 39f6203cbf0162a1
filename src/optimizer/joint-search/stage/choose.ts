import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Records } from "../evidence/records.ts";
import type { Configuration } from "../lever/lever.ts";
import type { Estimate } from "../model/posterior.ts";
import { longSearch } from "../settings/allotment.ts";
import { objectiveGain } from "./objective-gain.ts";

/**
 * Standard deviations above 0 that an expected gain must have. Longer searches choose among more
 * candidates, so chance has more to offer.
 */
const leastCertainty = { shortSearch: 1, longSearch: 1.75 };
/** Standard deviations behind the best within which a candidate counts as equally good. */
const equallyGood = 0.125;

/**
 * The candidate that is expected to be best; of equally good ones that with the fewest prompt
 * tokens; the first, which is the program as it is, unless a gain is likely.
 *
 * @param gain what one candidate brings over another
 * @param rollouts of the whole search
 */
export function chosen(
  candidates: readonly CandidateRecord[],
  {
    gain,
    rollouts,
  }: {
    readonly gain: (one: CandidateRecord, over: CandidateRecord) => Estimate;
    readonly rollouts: number;
  },
): CandidateRecord {
  const [seed, ...others] = candidates;
  if (seed === undefined) throw new RangeError("The search has no candidate.");
  const certainty = leastCertainty[rollouts < longSearch ? "shortSearch" : "longSearch"];
  const likely: CandidateRecord[] = [];
  let [best, most] = [seed, 0];
  for (const candidate of others) {
    const { mean, deviation } = gain(candidate, seed);
    if (mean <= certainty * deviation) continue;
    likely.push(candidate);
    if (mean > most) [best, most] = [candidate, mean];
  }
  const asGood = likely.filter((candidate) => {
    if (candidate === best) return true;
    const { mean, deviation } = gain(best, candidate);
    return mean <= equallyGood * deviation;
  });
  return asGood.reduce(
    (lightest, one) => (promptTokensOf(one) < promptTokensOf(lightest) ? one : lightest),
    best,
  );
}

/** What candidates bring over each other, by all that a search has run. */
export function gainsOf(
  space: SearchSpace,
  run: OptimizerRun,
  { evidence, records }: { readonly evidence: Evidence; readonly records: Records },
): (one: CandidateRecord, over: CandidateRecord) => Estimate {
  const { isMean } = run.summarize("val", []);
  return (one, over) => {
    const [of, from] = [records.configurationOf(one), records.configurationOf(over)];
    if (isMean) return evidence.gain(of, from);
    const onVal = (configuration: Configuration): readonly Rollout[] =>
      evidence.trialOf(configuration)?.val ?? [];
    return objectiveGain(space, run, { rollouts: onVal(of), over: onVal(from) });
  };
}

/** Of one example of val, on average; a run that calls no LM has none. */
function promptTokensOf({ selection }: CandidateRecord): number {
  return selection.costs?.promptTokens ?? 0;
}
