import { sum } from "../../../statistics/index.ts";
import type { Observation, Prior } from "./observation.ts";
import type { Posterior } from "./posterior.ts";
import { scoreModel } from "./score-model.ts";

/** Parts of which each is held out once. */
export const folds = 5;

export function isHeldOut(place: number, fold: number): boolean {
  return place % folds === fold;
}

/** What a model of these priors makes of some observations. */
export function fitted(
  observations: readonly Observation[],
  [level = { mean: 0, deviation: 1 }, ...effects]: readonly Prior[],
): Posterior {
  const model = scoreModel(level);
  for (const prior of effects) model.addFeature(prior);
  for (const one of observations) model.observe(one);
  return model.posterior();
}

/** Of a prediction of one score. */
export function squaredError(
  { score, exampleId, features }: Observation,
  posterior: Posterior,
): number {
  const { effects } = posterior;
  const added = sum(features.map(([place, value]) => value * (effects[place] as number)));
  return (score - posterior.levelOf(exampleId) - added) ** 2;
}
