import type { Posterior } from "./posterior.ts";
import type { Observation, Prior } from "./observation.ts";
import { scoreModel } from "./score-model.ts";
import { sum, sampleVariance } from "../../../statistics/index.ts";

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

/** The same runs, in the same order, as a model sees them. */
interface Seen {
  readonly observations: readonly Observation[];
  readonly priors: readonly Prior[];
}

/** Least mean difference of squared errors, relative to the variance of scores, that counts. */
const leastDifference = 1e-4;

/**
 * How much better one view of some runs predicts those held out than another does: the difference
 * of their squared errors in five-fold cross-validation over runs, in standard errors over
 * examples. 0 where there are fewer runs than folds, or no difference to speak of. Unlike
 * `predictionQuality`, it holds out single runs: a configuration keeps others.
 */
export function standardErrorsAhead(one: Seen, other: Seen): number {
  if (one.observations.length < folds) return 0;
  const differences = new Map<string, number>();
  for (let fold = 0; fold < folds; fold++) {
    const [byOne, byOther] = [without(one, fold), without(other, fold)];
    for (const [place, observation] of one.observations.entries()) {
      if (!isHeldOut(place, fold)) continue;
      const { exampleId } = observation;
      const inOther = other.observations[place] as Observation;
      const difference = squaredError(inOther, byOther) - squaredError(observation, byOne);
      differences.set(exampleId, (differences.get(exampleId) ?? 0) + difference);
    }
  }
  const all = [...differences.values()];
  const scores = one.observations.map(({ score }) => score);
  const least = leastDifference * sampleVariance(scores) * scores.length;
  if (least === 0 || Math.abs(sum(all)) <= least) return 0;
  return sum(all) / Math.sqrt(sum(all.map((difference) => difference ** 2)));
}

function without({ observations, priors }: Seen, fold: number): Posterior {
  return fitted(
    observations.filter((_, place) => !isHeldOut(place, fold)),
    priors,
  );
}

/** Parts of which each is held out once. */
const folds = 5;

function isHeldOut(place: number, fold: number): boolean {
  return place % folds === fold;
}

/** What a model of these priors makes of some observations. */
function fitted(
  observations: readonly Observation[],
  [level = { mean: 0, deviation: 1 }, ...effects]: readonly Prior[],
): Posterior {
  const model = scoreModel(level);
  for (const prior of effects) model.addFeature(prior);
  for (const one of observations) model.observe(one);
  return model.posterior();
}

/** Of a prediction of one score. */
function squaredError({ score, exampleId, features }: Observation, posterior: Posterior): number {
  const { effects } = posterior;
  const added = sum(features.map(([place, value]) => value * (effects[place] as number)));
  return (score - posterior.levelOf(exampleId) - added) ** 2;
}
