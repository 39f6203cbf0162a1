import { mean, sum } from "../../../statistics/index.ts";
import type { Observation } from "./observation.ts";
import type { Posterior } from "./posterior.ts";

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
    rest: score - sum(features.map(([place, value]) => value * (effects[place] as number))),
  }));
  const byExample = [...Map.groupBy(rests, ({ exampleId }) => exampleId).values()];
  const squares = sum(
    byExample.map((runs) => {
      const centre = mean(runs.map(({ rest }) => rest));
      return sum(runs.map(({ rest }) => (rest - centre) ** 2));
    }),
  );
  const repeats = observations.length - byExample.length;
  return squares / Math.max(leastLeft * repeats, repeats - determined());
}
