import type { Optimizer } from "../contract/optimizer.ts";
import { isText } from "../task/text-component.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { jointSearchPlan } from "./joint-search-plan.ts";
import type { JointSearchOptions } from "./settings/joint-search-settings.ts";
import {
  changeablePlaces,
  describeSettings,
  jointSearchSettings,
} from "./settings/joint-search-settings.ts";
import { textSearch } from "./text-search.ts";

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
    version: "10",
    seed,
    ...(budget && { budget }),
    ...(reflection.lm && { reflectionLm: reflection.lm }),
    asksReflection: settings.proposer.asksReflection ?? true,
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
