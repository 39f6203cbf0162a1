import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/predictor-count.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import { roomForLessons } from "../proposal/case/rollouts-that-fit.ts";
import { isText } from "../task/text-component.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { JointSearchSettings } from "./settings/joint-search-settings.ts";
import { allotment, fewestRollouts, trialSize, trialsPerText } from "./settings/allotment.ts";

/** What a budget allows: trials of `trialSize` rollouts between a first look and a race. */
export function jointSearchPlan(
  space: SearchSpace,
  budget: Budget,
  {
    places,
    settings,
  }: { readonly places: readonly number[]; readonly settings: JointSearchSettings },
): OptimizerPlan {
  const { components } = space;
  const predictors = Math.max(1, predictorCount(components));
  const { metricCalls = Infinity, lmCalls = Infinity, reflectionCalls = Infinity } = budget;
  const rollouts = Math.floor(Math.min(metricCalls, lmCalls / predictors));
  const { firstLook, race, texts } = allotment(rollouts, space);
  const trials = Math.max(0, Math.floor((rollouts - firstLook - race) / trialSize));
  const levers = places.filter((place) => {
    const component = components[place];
    return component !== undefined && isText(component);
  }).length;
  // The first reflection writes one for each lever.
  const inTrials = levers + Math.floor(trials / trialsPerText);
  const asked = levers === 0 ? 0 : Math.min(reflectionCalls, texts, inTrials);
  const isKnown = Number.isFinite(rollouts);
  const longestText = settings.proposer.costs?.().longestText;
  return {
    seedEvaluation: firstLook,
    perProposal: { refused: trialSize, accepted: trialSize },
    proposals: isKnown ? { least: trials, expected: trials, most: trials } : null,
    fullValidations: 0,
    calls: isKnown ? { student: rollouts * predictors, reflection: asked } : null,
    examplesPerText: roomForLessons.most,
    ...(longestText !== undefined && { longestText }),
    warnings:
      !isKnown || rollouts >= fewestRollouts
        ? []
        : [
            `A budget of ${rollouts} rollouts allows ${trials} trials after a first look of ${firstLook} and before a race of ${race}. Use at least ${fewestRollouts}.`,
          ],
  };
}
