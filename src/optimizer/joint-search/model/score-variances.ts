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
  const { squares, repeats } = withinExamples(observations);
  const isNoiseKnown = repeats >= enoughRepeats;
  const share = isNoiseKnown ? squares / repeats / whole : assumedNoise;
  const noise = whole * Math.max(leastNoise, share);
  return { noise, levels: Math.max(whole - noise, leastLevels * whole), isNoiseKnown };
}

/** Squared differences of runs from the mean of their example, and the runs after its first. */
export function withinExamples(
  runs: readonly { readonly exampleId: string; readonly score: number }[],
): { readonly squares: number; readonly repeats: number } {
  const byExample = [...Map.groupBy(runs, ({ exampleId }) => exampleId).values()];
  return {
    squares: sum(byExample.map((of) => squaresAroundMean(of.map(({ score }) => score)))),
    repeats: runs.length - byExample.length,
  };
}

function squaresAroundMean(values: readonly number[]): number {
  const centre = mean(values);
  return sum(values.map((value) => (value - centre) ** 2));
}
