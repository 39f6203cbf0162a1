import { normalQuantile } from "../../../statistics/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { DemonstrationCredit } from "../../candidate/demonstration-credit.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Records } from "../evidence/records.ts";
import type { DemonstrationSetting } from "../lever/demonstration-lever.ts";
import type { Levers } from "../lever/levers.ts";

/**
 * What each demonstration that the search gave a candidate brings on val: the candidate less the
 * same without it, as the model has it. None where the model is not believed.
 */
export function creditsIn(
  candidate: CandidateRecord,
  { all, demonstrations }: Levers,
  evidence: Evidence,
  records: Records,
): readonly DemonstrationCredit[] {
  if (!evidence.isModelBelieved) return [];
  const configuration = records.configurationOf(candidate);
  const reach = normalQuantile(0.975);
  return demonstrations.flatMap((lever) => {
    const at = all.indexOf(lever);
    const setting = configuration[at] as DemonstrationSetting;
    const { path: predictor } = setting.component;
    return setting.leaveOneOut().map(([demonstration, without]): DemonstrationCredit => {
      const { exampleId } = demonstration;
      const { mean, deviation } = evidence.gain(configuration, configuration.with(at, without));
      const shown = evidence.trials.filter((trial) => {
        const { component } = trial.configuration[at] as DemonstrationSetting;
        return component.value.some((one) => one.exampleId === exampleId);
      });
      return {
        predictor,
        exampleId,
        gain: mean,
        low: mean - reach * deviation,
        high: mean + reach * deviation,
        runs: shown.reduce((runs, { train, val }) => runs + train.length + val.length, 0),
      };
    });
  });
}
