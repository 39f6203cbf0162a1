import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/predictor-count.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import { sum } from "../../statistics/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { leversOf } from "./choice/levers.ts";
import type { MiproV2Settings } from "./settings/mipro-v2-settings.ts";
import { mostComments } from "./writing/propose-instructions.ts";
import { callsOf, costOfTrial, sizesOf } from "./settings/sizes.ts";

/** Fewer trials say too little about what they choose from. */
const fewestUseful = 4;

/** What a budget allows. Throws `component-unknown` for a space without instructions. */
export function miproV2Plan(
  space: SearchSpace,
  { metricCalls = Infinity, lmCalls = Infinity, reflectionCalls = Infinity }: Budget,
  { settings, hasTeacher }: { readonly settings: MiproV2Settings; readonly hasTeacher: boolean },
): OptimizerPlan {
  const levers = leversOf(space, settings);
  const predictors = Math.max(1, predictorCount(space.components));
  const rollouts = Math.floor(Math.min(metricCalls, lmCalls / predictors));
  const isKnown = Number.isFinite(rollouts) || settings.trials !== undefined;
  const sizes = sizesOf(rollouts, space, { settings, choices: levers.count, isMean: true });
  const { panel, minibatch, trials } = sizes;
  const onTrain = sizes.bootstrapping + (sizes.rounds - 1) * sizes.lessons;
  const left = Math.max(0, rollouts - panel - onTrain);
  const affordable = (cost: number): number => Math.min(trials, Math.floor(left / cost));
  const perTrial = costOfTrial(sizes, settings);
  const proposals = {
    least: affordable(panel),
    expected: affordable(perTrial),
    most: affordable(minibatch),
  };
  const { ground, instructions } = callsOf(Math.min(reflectionCalls, 1_000), {
    space,
    settings,
    texts: levers.texts.length,
    sizes,
  });
  const reflection =
    ground.observations +
    ground.summary +
    ground.descriptions +
    sum(instructions) * levers.texts.length;
  const raced = Math.min(left, Math.ceil(proposals.expected * perTrial));
  const taught = sizes.bootstrapping * predictors;
  const student = (panel + onTrain + raced) * predictors - (hasTeacher ? taught : 0);
  return {
    seedEvaluation: panel,
    perProposal: { refused: minibatch, accepted: panel },
    proposals: isKnown ? proposals : null,
    fullValidations: isKnown ? 1 + proposals.most : null,
    calls: isKnown ? { student, reflection, ...(hasTeacher && { teacher: taught }) } : null,
    examplesPerText: mostComments,
    warnings:
      proposals.expected >= fewestUseful
        ? []
        : [
            `The budget covers ${proposals.expected} trials, after ${panel} metric calls for the program as it is and up to ${onTrain} for runs on train. Use at least ${Math.ceil(fewestUseful * perTrial) + panel + onTrain}.`,
          ],
  };
}
