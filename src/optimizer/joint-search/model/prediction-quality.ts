import { sum } from "../../../statistics/index.ts";
import { fitted, folds, isHeldOut, squaredError } from "./cross-validation.ts";
import type { Observation, Prior } from "./observation.ts";

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
  const errors = { levels: 0, features: 0 };
  const withoutEffects = (one: Observation): Observation => ({
    ...one,
    features: one.features.filter(([place]) => ofExamples.includes(place)),
  });
  for (let fold = 0; fold < folds; fold++) {
    const seen = trials.filter((_, place) => !isHeldOut(place, fold)).flat();
    const features = fitted(seen, priors);
    const levels = fitted(seen.map(withoutEffects), priors);
    const heldOut = trials.filter((_, place) => isHeldOut(place, fold)).flat();
    errors.features += sum(heldOut.map((one) => squaredError(one, features)));
    errors.levels += sum(heldOut.map((one) => squaredError(withoutEffects(one), levels)));
  }
  return errors.levels === 0 ? null : 1 - errors.features / errors.levels;
}
