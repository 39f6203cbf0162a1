import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan, PlannedProposals } from "../contract/optimizer-plan.ts";
import { predictorCount } from "../candidate/predictor-count.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { SettingsToTry } from "./settings-to-try.ts";

/** What a budget allows for a search over settings in addition to the program's own. */
export function parameterSearchPlan(
  { components, val }: SearchSpace,
  { metricCalls = Infinity, lmCalls = Infinity }: Budget,
  { count, minibatchSize }: Pick<SettingsToTry, "count" | "minibatchSize">,
): OptimizerPlan {
  const predictors = predictorCount(components);
  const most = Math.min(metricCalls, lmCalls / Math.max(1, predictors));
  const whole = val.length;
  const refused = Math.min(minibatchSize, whole);
  // A setting begins only if it could run on all of val.
  const affordable = (each: number): number =>
    Math.max(0, Math.floor((most - 2 * whole) / each) + 1);
  const tried: PlannedProposals = {
    least: Math.min(count, affordable(whole)),
    expected: Math.min(count, affordable((refused + whole) / 2)),
    most: Math.min(count, affordable(refused)),
  };
  const rollouts = whole + (tried.expected * (refused + whole)) / 2;
  return {
    seedEvaluation: whole,
    perProposal: { refused, accepted: whole },
    proposals: tried,
    fullValidations: 1 + tried.least,
    calls: { student: Math.round(Math.min(most, rollouts)) * predictors, reflection: 0 },
    examplesPerText: 0,
    warnings: warningsOf(tried, { count, whole, refused }),
  };
}

function warningsOf(
  { least, expected, most }: PlannedProposals,
  { count, whole, refused }: { count: number; whole: number; refused: number },
): readonly string[] {
  if (expected >= count) return [];
  if (refused === whole) {
    return [
      `The budget covers only ${most} of ${count} settings: each takes ${whole} metric calls, and so do the program's own values.`,
    ];
  }
  return [
    `The budget covers ${least} to ${most} of ${count} settings: each takes ${refused} to ${whole} metric calls, the program's own values take ${whole}.`,
  ];
}
