import type { Features, Prior, Observation } from "./observation.ts";
import type { OfExample, Posterior } from "./posterior.ts";
import { posteriorOf } from "./posterior.ts";
import { sum, mean } from "../../../statistics/index.ts";

/**
 * Bayesian linear regression of scores. Each example has a level of its own (how hard it is), drawn
 * from a normal distribution, and each feature an effect with a normal prior. Levels are integrated
 * out, so an update costs what the features cost, however many examples there are. C. Bishop,
 * "Pattern Recognition and Machine Learning", 2006, section 3.3; for the levels N. Laird and
 * J. Ware, "Random-Effects Models for Longitudinal Data", Biometrics 38, 1982.
 */
export interface ScoreModel {
  /** Adds a feature, which every earlier observation lacks, and returns its place. */
  addFeature(prior: Prior): number;
  observe(observation: Observation): void;
  readonly priors: readonly Prior[];
  /**
   * Variance of an example's runs around its level, in units of the variance of levels, less what
   * `learnNoise` took off it; `null` until enough examples were run several times.
   */
  noiseShare(): number | null;
  /**
   * Takes off the noise the share that effects explain, until it is asked again. Before, all that
   * differs between the runs of an example is noise, and large effects are believed too little.
   * Does nothing until enough examples were run several times.
   */
  learnNoise(): void;
  /**
   * Of everything observed so far; the same object until there is something new, or noise is
   * learnt.
   *
   * @param without place of a feature that is to explain nothing
   */
  posterior(without?: number): Posterior;
}

/** Variances are estimated anew after so many times the observations. */
const growthBetweenEstimates = 1.1;

/** An effect that is to explain nothing. */
const nothing: Prior = { mean: 0, deviation: 1e-4 };

/** Effects and noise are estimated from one another so many times. */
const stepsOfNoise = 3;

/** Least share of the noise that is left, however well effects explain it. */
const leastNoiseLeft = 0.05;

/** @param level of the program as it is, before any rollout */
export function scoreModel(level: Prior): ScoreModel {
  const priors: Prior[] = [level];
  const observations: Observation[] = [];
  const byExample = new Map<string, OfExample>();
  // Lower triangle of the sums of products of features, and sums of features times scores, both
  // less what the levels of examples explain, but for those in `unexplained`.
  const products: Float64Array[] = [];
  let withScores: Float64Array = new Float64Array(0);
  let variances: Variances = scoreVariances([]);
  let estimatedAt = 0;
  let noiseLeft = 1;
  const known = new Map<number | undefined, Posterior>();
  const noise = (): number => noiseLeft * variances.noise;
  const share = (): number => noise() / variances.levels;

  const makeRoom = (): void => {
    const size = priors.length;
    for (const [row, values] of products.entries()) {
      if (values.length < size) products[row] = lengthened(values, 2 * size);
    }
    while (products.length < size) products.push(new Float64Array(2 * size));
    if (withScores.length < size) withScores = lengthened(withScores, 2 * size);
  };
  const add = (
    features: Iterable<readonly [number, number]>,
    score: number,
    times: number,
  ): void => {
    const held = [...features];
    for (const [place, value] of held) {
      withScores[place] = at(withScores, place) + times * value * score;
      const row = products[place] as Float64Array;
      for (const [other, otherValue] of held) {
        if (other <= place) row[other] = at(row, other) + times * value * otherValue;
      }
    }
  };
  const explain = ({ features, score, count }: OfExample, sign: 1 | -1): void => {
    if (count > 0) add(features, score, sign / (count + share()));
  };
  // What levels explain is taken off when it is asked for: many observations share that cost.
  const unexplained = new Set<OfExample>();
  const explainAll = (): void => {
    for (const one of unexplained) explain(one, -1);
    unexplained.clear();
  };
  const unexplain = (one: OfExample): void => {
    if (!unexplained.has(one)) explain(one, 1);
    unexplained.add(one);
  };
  /** Before the share of noise changes, which says what levels explain. */
  const unexplainAll = (): void => {
    for (const one of byExample.values()) unexplain(one);
  };
  const estimateVariances = (): void => {
    if (observations.length < growthBetweenEstimates * estimatedAt) return;
    estimatedAt = observations.length;
    unexplainAll();
    variances = scoreVariances(observations);
  };
  const posterior = (without?: number): Posterior => {
    const held = known.get(without);
    if (held !== undefined) return held;
    makeRoom();
    estimateVariances();
    explainAll();
    const made = posteriorOf(
      {
        products: priors.map((_, row) => products[row]?.subarray(0, row + 1) ?? new Float64Array()),
        withScores: withScores.subarray(0, priors.length),
        byExample,
        noise: noise(),
        noiseShare: share(),
      },
      priors.map((prior, place) => (place === without ? nothing : prior)),
    );
    known.set(without, made);
    return made;
  };

  return {
    priors,
    noiseShare: () => {
      estimateVariances();
      return variances.isNoiseKnown ? share() : null;
    },
    addFeature: (prior) => {
      known.clear();
      return priors.push(prior) - 1;
    },
    observe: (observation) => {
      known.clear();
      observations.push(observation);
      makeRoom();
      const { exampleId, score } = observation;
      const features = [[0, 1] as const, ...observation.features];
      const own = byExample.get(exampleId) ?? { count: 0, score: 0, features: new Map() };
      byExample.set(exampleId, own);
      unexplain(own);
      own.count++;
      own.score += score;
      for (const [place, value] of features) {
        own.features.set(place, (own.features.get(place) ?? 0) + value);
      }
      // A feature may be named twice, so products are of sums.
      add(summed(features), score, 1);
    },
    learnNoise: () => {
      estimateVariances();
      if (!variances.isNoiseKnown) return;
      for (let step = 0; step < stepsOfNoise; step++) {
        const left = unexplainedNoise(observations, posterior()) / variances.noise;
        known.clear();
        unexplainAll();
        noiseLeft = Math.min(1, Math.max(leastNoiseLeft, left));
      }
    },
    posterior,
  };
}

function summed(features: Features): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const [place, value] of features) sums.set(place, (sums.get(place) ?? 0) + value);
  return sums;
}

function lengthened(values: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length);
  longer.set(values);
  return longer;
}

function at(values: Float64Array, place: number): number {
  return values[place] as number;
}

/** Least share of the repeats that is left to tell the noise. */
const leastLeft = 0.2;

/**
 * Variance of the runs of an example around what its level and effects explain. Each effect that
 * observations determine takes up one of the repeats, which are the runs of an example after its
 * first; there must be some.
 */
function unexplainedNoise(
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

/** Where the spread of scores comes from. */
interface Variances {
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
function withinExamples(runs: readonly { readonly exampleId: string; readonly score: number }[]): {
  readonly squares: number;
  readonly repeats: number;
} {
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
