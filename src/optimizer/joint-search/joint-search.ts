import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { gepa } from "../gepa/gepa.ts";
import {
  allotment,
  fewestRollouts,
  trialSize,
  trialsPerText,
  changeablePlaces,
  describeSettings,
  jointSearchSettings,
} from "./settings/settings.ts";
import type { JointSearchOptions, JointSearchSettings } from "./settings/settings.ts";
import { roomForLessons } from "../proposal/case/render-cases.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { isText } from "../task/search-space.ts";

/**
 * Searches instructions, demonstrations and parameters together, under one budget. Every rollout,
 * of train and val and of whatever was tried, feeds one model of the score, which says what each
 * text, demonstration and number adds. A draw from the model is tried next, on few examples;
 * reflection writes texts for what fails; runs that go well become demonstrations; a race on val
 * decides, and the program stays as it is unless a gain is likely.
 *
 * The model says how well it predicts what it has not seen. Where their own runs predict
 * configurations clearly better, they are judged by these alone. Where nothing but texts may
 * change, the search is `gepa()`.
 *
 * @example
 * study({ program, trainset, objective, optimizer: jointSearch({ budget: { metricCalls: 500 } }) })
 * @throws EspalierError `option-invalid`
 */
export function jointSearch(options: JointSearchOptions = {}): Optimizer {
  const { seed = 0, budget, reflection = {} } = options;
  const settings = jointSearchSettings(options);
  const texts = textSearch(options);
  const placesIn = (space: SearchSpace): readonly number[] => {
    const places = changeablePlaces(space, settings.components);
    const changeable = places.flatMap((place) => space.components[place] ?? []);
    return changeable.every(isText) ? [] : places;
  };
  return Object.freeze({
    name: "joint-search",
    version: "12",
    seed,
    ...(budget && { budget }),
    ...(reflection.lm && { reflectionLm: reflection.lm }),
    asksReflection: settings.proposer.asksReflection ?? true,
    perfectScore: settings.perfectScore,
    settings: { ...describeSettings(settings), texts: texts.settings },
    doPlan: (space, cap) => {
      const places = placesIn(space);
      if (places.length === 0) return texts.doPlan(space, cap);
      return jointSearchPlan(space, cap, { places, settings });
    },
    doOptimize: async (space, run) => {
      const changeable = placesIn(space);
      if (changeable.length === 0) return texts.doOptimize(space, run);
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { runJointSearch } = await import("./run-joint-search.ts");
      return runJointSearch(space, run, { settings, changeable });
    },
  } satisfies Optimizer);
}

/** `gepa()` with what the options of a joint search say of texts. */
export function textSearch({
  components,
  reflection = {},
  perfectScore,
}: JointSearchOptions): Optimizer {
  return gepa({
    ...(components && { components: components.filter((one) => !isOfOtherKind(one)) }),
    reflection,
    ...(perfectScore !== undefined && { search: { perfectScore } }),
  });
}

function isOfOtherKind(selector: string): boolean {
  return /^(?:demos|parameter)(?::|$)/.test(selector);
}

/** What a budget allows: trials of `trialSize` rollouts between a first look and a race. */
function jointSearchPlan(
  space: SearchSpace,
  budget: Budget,
  {
    places,
    settings,
  }: { readonly places: readonly number[]; readonly settings: JointSearchSettings },
): OptimizerPlan {
  const { components } = space;
  const predictors = Math.max(1, predictorCount(components));
  const { metricCalls: rollouts = Infinity, reflectionCalls = Infinity } = budget;
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
