import type { CandidateRecord, DemonstrationCredit } from "../../candidate/candidate-record.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { ShownRun } from "../../demonstrations/index.ts";
import {
  bestSupported,
  objectiveGain,
  creditsOf,
  fixedDemonstrations,
  shownRuns,
} from "../../demonstrations/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Records } from "../evidence/records.ts";
import type { DemonstrationSetting } from "../lever/demonstration-lever.ts";
import type { Configuration } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";
import type { Estimate } from "../model/posterior.ts";
import { longSearch } from "../settings/settings.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import { normalQuantile } from "../../../statistics/index.ts";

/**
 * Standard deviations above 0 that an expected gain must have. Longer searches choose among more
 * candidates, so chance has more to offer.
 */
const leastCertainty = { shortSearch: 1.4, longSearch: 1.75 };
/** Standard deviations behind the best within which a candidate counts as equally good. */
const equallyGood = 0.125;

/**
 * The best candidate, without demonstrations that are not expected to bring anything. What is left
 * of it becomes a candidate.
 *
 * @param rollouts of the whole search
 */
export function bestOfSearch(
  space: SearchSpace,
  run: OptimizerRun,
  {
    levers,
    evidence,
    records,
    rollouts,
  }: {
    readonly levers: Levers;
    readonly evidence: Evidence;
    readonly records: Records;
    readonly rollouts: number;
  },
): CandidateRecord {
  const { candidates } = records.log;
  const configurationOf = (candidate: CandidateRecord): Configuration =>
    records.configurationOf(candidate);
  const onVal = (candidate: CandidateRecord): readonly Rollout[] =>
    evidence.trialOf(configurationOf(candidate))?.val ?? [];
  // Of an objective that is no mean, the model of scores says nothing.
  if (!run.summarize("val", []).isMean) {
    const best = chosen(candidates, {
      gain: (one, over) => objectiveGain(space, run, { rollouts: onVal(one), over: onVal(over) }),
      rollouts,
    });
    return bestSupported(best, candidates, { space, run, rolloutsOf: onVal });
  }
  const best = chosen(candidates, {
    gain: (one, over) => evidence.gain(configurationOf(one), configurationOf(over)),
    rollouts,
  });
  return records.accept(supported(configurationOf(best), levers, evidence));
}

/**
 * A configuration without the demonstrations of predictors to which they are not expected to bring
 * anything, the most harmful first.
 */
export function supported(
  configuration: Configuration,
  levers: Pick<Levers, "all" | "demonstrations">,
  evidence: Pick<Evidence, "gain">,
): Configuration {
  const [worst] = levers.demonstrations
    .flatMap((lever) => {
      const at = levers.all.indexOf(lever);
      if (configuration[at]?.key === lever.initial.key) return [];
      const without = configuration.with(at, lever.initial);
      const { mean } = evidence.gain(configuration, without);
      return mean > 0 ? [] : [{ without, mean }];
    })
    .toSorted((one, other) => one.mean - other.mean);
  return worst === undefined ? configuration : supported(worst.without, levers, evidence);
}

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

/** Of one example of val, on average; a run that calls no LM has none. */
function promptTokensOf({ selection }: CandidateRecord): number {
  return selection.costs?.promptTokens ?? 0;
}

/**
 * What each demonstration that the search gave a candidate brings. Where the model is believed: on
 * val, the candidate less the same without it, as the model has it. Else by a regression over all
 * runs, which knows of demonstrations alone.
 */
export function creditsOfConfiguration(
  candidate: CandidateRecord,
  {
    space,
    levers: { all, demonstrations },
    evidence,
    records,
  }: {
    readonly space: SearchSpace;
    readonly levers: Levers;
    readonly evidence: Evidence;
    readonly records: Records;
  },
): readonly DemonstrationCredit[] {
  const configuration = records.configurationOf(candidate);
  const reach = normalQuantile(0.975);
  const runs = evidence.trials.flatMap(({ configuration: tried, train, val }) => {
    const shown = fixedDemonstrations(tried.map(({ component }) => component));
    return shownRuns([...train, ...val], shown, space);
  });
  const byRuns = evidence.isModelBelieved ? null : creditsOf(runs);
  return demonstrations.flatMap((lever) => {
    const at = all.indexOf(lever);
    const setting = configuration[at] as DemonstrationSetting;
    const { path: predictor } = setting.component;
    return setting.leaveOneOut().flatMap(([demonstration, without]): DemonstrationCredit | [] => {
      if (byRuns !== null) {
        const credit = byRuns.creditOf({ predictor, demonstration });
        return credit.runs === 0 ? [] : credit;
      }
      const { mean, deviation } = evidence.gain(configuration, configuration.with(at, without));
      // All settings hold one object for each that was learnt.
      const isShown = ({ shown }: ShownRun): boolean =>
        shown.some((one) => one.predictor === predictor && one.demonstration === demonstration);
      return {
        predictor,
        exampleId: demonstration.exampleId,
        gain: mean,
        low: mean - reach * deviation,
        high: mean + reach * deviation,
        basis: "model",
        runs: runs.filter(isShown).length,
      };
    });
  });
}
