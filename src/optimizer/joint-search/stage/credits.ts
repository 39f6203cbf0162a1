import { normalQuantile } from "../../../statistics/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { DemonstrationCredit } from "../../candidate/demonstration-credit.ts";
import type { ShownRun } from "../../demonstrations/index.ts";
import { creditsOf, fixedDemonstrations, shownRuns } from "../../demonstrations/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Records } from "../evidence/records.ts";
import type { DemonstrationSetting } from "../lever/demonstration-lever.ts";
import type { Levers } from "../lever/levers.ts";

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
