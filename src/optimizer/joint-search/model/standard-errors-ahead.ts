import { sampleVariance, sum } from "../../../statistics/index.ts";
import { fitted, folds, isHeldOut, squaredError } from "./cross-validation.ts";
import type { Observation, Prior } from "./observation.ts";
import type { Posterior } from "./posterior.ts";

/** The same runs, in the same order, as a model sees them. */
export interface Seen {
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
