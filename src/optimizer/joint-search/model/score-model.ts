import type { Features, Observation, Prior } from "./observation.ts";
import type { OfExample, Posterior } from "./posterior.ts";
import { posteriorOf } from "./posterior.ts";
import type { Variances } from "./score-variances.ts";
import { scoreVariances } from "./score-variances.ts";
import { unexplainedNoise } from "./unexplained-noise.ts";

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
