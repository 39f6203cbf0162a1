import { sum } from "../../../statistics/index.ts";
import type { Observation, Posterior, Prior } from "./score-model.ts";
import { scoreModel } from "./score-model.ts";

const folds = 5;

/**
 * How well features predict the scores of configurations that the model has not seen: the share of
 * the squared error that they remove from a prediction by the examples' levels alone, in five-fold
 * cross-validation over configurations. 1 is perfect; 0 or less says that the features are of no
 * use; `null` where there are fewer configurations than folds.
 *
 * @param trials the observations of each configuration
 * @param ofExamples places of features that belong to an example, whatever was run on it
 */
export function predictionQuality(
  trials: readonly (readonly Observation[])[],
  priors: readonly Prior[],
  ofExamples: readonly number[] = [],
): number | null {
  if (trials.length < folds) return null;
  const [level = { mean: 0, deviation: 1 }, ...effects] = priors;
  const errors = { levels: 0, features: 0 };
  const withoutEffects = (one: Observation): Observation => ({
    ...one,
    features: one.features.filter(([place]) => ofExamples.includes(place)),
  });
  for (let fold = 0; fold < folds; fold++) {
    const isHeldOut = (place: number): boolean => place % folds === fold;
    const withFeatures = scoreModel(level);
    for (const prior of effects) withFeatures.addFeature(prior);
    const levelsAlone = scoreModel(level);
    for (const prior of effects) levelsAlone.addFeature(prior);
    for (const [place, trial] of trials.entries()) {
      if (isHeldOut(place)) continue;
      for (const one of trial) {
        withFeatures.observe(one);
        levelsAlone.observe(withoutEffects(one));
      }
    }
    const [features, levels] = [withFeatures.posterior(), levelsAlone.posterior()];
    const heldOut = trials.filter((_, place) => isHeldOut(place)).flat();
    errors.features += sum(heldOut.map((one) => squaredError(one, features)));
    errors.levels += sum(heldOut.map((one) => squaredError(withoutEffects(one), levels)));
  }
  return errors.levels === 0 ? null : 1 - errors.features / errors.levels;
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
