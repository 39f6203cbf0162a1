import { sum } from "../../../statistics/index.ts";
import type { Observation } from "./observation.ts";
import type { Posterior } from "./posterior.ts";
import { withinExamples } from "./score-variances.ts";

/** Least share of the repeats that is left to tell the noise. */
const leastLeft = 0.2;

/**
 * Variance of the runs of an example around what its level and effects explain. Each effect that
 * observations determine takes up one of the repeats, which are the runs of an example after its
 * first; there must be some.
 */
export function unexplainedNoise(
  observations: readonly Observation[],
  { effects, determined }: Pick<Posterior, "effects" | "determined">,
): number {
  const rests = observations.map(({ features, exampleId, score }) => ({
    exampleId,
    score: score - sum(features.map(([place, value]) => value * (effects[place] as number))),
  }));
  const { squares, repeats } = withinExamples(rests);
  return squares / Math.max(leastLeft * repeats, repeats - determined());
}
