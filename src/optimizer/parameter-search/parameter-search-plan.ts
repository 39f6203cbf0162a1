import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import { predictorCount } from "../candidate/predictor-count.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** What a budget allows for a search over `settings` in addition to the program's own. */
export function parameterSearchPlan(
  { components, val }: SearchSpace,
  { metricCalls = Infinity, lmCalls = Infinity }: Budget,
  settings: number,
): OptimizerPlan {
  const predictors = predictorCount(components);
  const most = Math.min(metricCalls, lmCalls / Math.max(1, predictors));
  const affordable = Math.max(0, Math.floor((most - val.length) / val.length));
  const tried = Math.min(settings, affordable);
  return {
    seedEvaluation: val.length,
    perProposal: { refused: val.length, accepted: val.length },
    proposals: { least: tried, expected: tried, most: tried },
    fullValidations: 1 + tried,
    calls: { student: (1 + tried) * val.length * predictors, reflection: 0 },
    examplesPerText: 0,
    warnings:
      tried === settings
        ? []
        : [
            `The budget covers only ${tried} of ${settings} settings: each takes ${val.length} metric calls, and so do the program's own values.`,
          ],
  };
}
