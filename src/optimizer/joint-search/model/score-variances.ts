import { mean, sum } from "../../../statistics/index.ts";

/** Where the spread of scores comes from. */
export interface Variances {
  /** Between runs of one example. */
  readonly noise: number;
  /** Between the levels of examples. */
  readonly levels: number;
  /** Whether the noise was seen, and is not assumed. */
  readonly isNoiseKnown: boolean;
}

/** Of scores from 0 to 1: assumed until they are known. */
const assumedVariance = 0.25;
/** Share that is noise, assumed until examples were run several times. */
const assumedNoise = 0.6;
/** Runs of an example after its first, over all examples, that show the noise. */
const enoughRepeats = 20;
/** Least share of either; where scores repeat themselves, the model is still not exact. */
const leastNoise = 0.02;
const leastLevels = 0.1;

/**
 * Moment estimates: the noise is the variance of an example's scores around their mean, whatever
 * was run; the rest of the whole variance lies between examples.
 */
export function scoreVariances(
  observations: readonly { readonly exampleId: string; readonly score: number }[],
): Variances {
  const scores = observations.map(({ score }) => score);
  const whole =
    scores.length < 2 ? assumedVariance : Math.max(squaresAroundMean(scores) / scores.length, 1e-6);
  const byExample = [...Map.groupBy(observations, ({ exampleId }) => exampleId).values()];
  const repeats = observations.length - byExample.length;
  const within = sum(byExample.map((of) => squaresAroundMean(of.map(({ score }) => score))));
  const isNoiseKnown = repeats >= enoughRepeats;
  const share = isNoiseKnown ? within / repeats / whole : assumedNoise;
  const noise = whole * Math.max(leastNoise, share);
  return { noise, levels: Math.max(whole - noise, leastLevels * whole), isNoiseKnown };
}

function squaresAroundMean(values: readonly number[]): number {
  const centre = mean(values);
  return sum(values.map((value) => (value - centre) ** 2));
}
