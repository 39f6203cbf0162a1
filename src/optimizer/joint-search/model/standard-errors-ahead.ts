import { sum } from "../../../statistics/index.ts";
import { squaredError } from "./prediction-quality.ts";
import type { Observation, Posterior, Prior } from "./score-model.ts";
import { scoreModel } from "./score-model.ts";

const folds = 5;

/** The same runs, in the same order, as a model sees them. */
export interface Seen {
  readonly observations: readonly Observation[];
  readonly priors: readonly Prior[];
}

/**
 * How much better one view of some runs predicts those held out than another does: the mean
 * difference of their squared errors in five-fold cross-validation over runs, in standard errors.
 * 0 where there are fewer runs than folds. Unlike `predictionQuality`, it holds out runs and not
 * whole configurations: these have runs in every fold.
 */
export function standardErrorsAhead(one: Seen, other: Seen): number {
  if (one.observations.length < folds) return 0;
  const differences: number[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isHeldOut = (place: number): boolean => place % folds === fold;
    const [byOne, byOther] = [without(one, isHeldOut), without(other, isHeldOut)];
    for (const [place, observation] of one.observations.entries()) {
      if (!isHeldOut(place)) continue;
      const inOther = other.observations[place] as Observation;
      differences.push(squaredError(inOther, byOther) - squaredError(observation, byOne));
    }
  }
  const squares = sum(differences.map((difference) => difference ** 2));
  return squares === 0 ? 0 : sum(differences) / Math.sqrt(squares);
}

function without({ observations, priors }: Seen, isHeldOut: (place: number) => boolean): Posterior {
  const [level = { mean: 0, deviation: 1 }, ...effects] = priors;
  const model = scoreModel(level);
  for (const prior of effects) model.addFeature(prior);
  for (const [place, one] of observations.entries()) {
    if (!isHeldOut(place)) model.observe(one);
  }
  return model.posterior();
}
