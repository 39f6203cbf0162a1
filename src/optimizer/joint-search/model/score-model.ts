import type { RandomSource } from "../../../contract/index.ts";
import { cholesky, normalQuantile, solveLower, solveUpper } from "../../../statistics/index.ts";
import type { Variances } from "./score-variances.ts";
import { scoreVariances } from "./score-variances.ts";

/** Places of features and their values; every other feature is 0. */
export type Features = readonly (readonly [place: number, value: number])[];

/** What is believed of an effect on the score before any rollout. */
export interface Prior {
  readonly mean: number;
  /** Above 0. */
  readonly deviation: number;
  /** Added to the mean where it is asked what to try, never where it is asked what is better. */
  readonly hope?: number;
}

/** The score of one rollout and what its configuration shows on its example. */
export interface Observation {
  readonly features: Features;
  readonly exampleId: string;
  readonly score: number;
}

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
   * Variance of an example's runs around its level, in units of the variance of levels; `null`
   * until enough examples were run several times.
   */
  noiseShare(): number | null;
  /**
   * Of everything observed so far; the same object until there is something new.
   *
   * @param without place of a feature that is to explain nothing
   */
  posterior(without?: number): Posterior;
}

export interface Posterior {
  /** Expected effects with the hopes of their priors, by place. */
  readonly hoped: Float64Array;
  /** Expected effects, by place. */
  readonly effects: Float64Array;
  /** Draws effects, with the posterior's standard deviations times `spread`. */
  draw(random: RandomSource, spread: number): Float64Array;
  /** The sum of effects times values. */
  sumOf(features: Features): Estimate;
  /** Expected score of the program as it was, on an example. */
  levelOf(exampleId: string): number;
}

export interface Estimate {
  readonly mean: number;
  readonly deviation: number;
}

/** Sums over the observations of one example. */
interface OfExample {
  count: number;
  score: number;
  readonly features: Map<number, number>;
}

/** Variances are estimated anew after so many times the observations. */
const growthBetweenEstimates = 1.1;

/** Standard deviation of an effect that is to explain nothing; its mean must be 0. */
const nothing = 1e-4;

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
  const known = new Map<number | undefined, Posterior>();
  const share = (): number => variances.noise / variances.levels;

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
  const estimateVariances = (): void => {
    if (observations.length < growthBetweenEstimates * estimatedAt) return;
    estimatedAt = observations.length;
    for (const one of byExample.values()) unexplain(one);
    variances = scoreVariances(observations);
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
    posterior: (without) => {
      const held = known.get(without);
      if (held !== undefined) return held;
      makeRoom();
      estimateVariances();
      explainAll();
      const { noise } = variances;
      const precision = priors.map((_, row) =>
        Float64Array.from(products[row]?.subarray(0, row + 1) ?? [], (value) => value / noise),
      );
      const weighted = Float64Array.from(priors, ({ mean, deviation }, place) => {
        const exact = 1 / (place === without ? nothing : deviation) ** 2;
        const row = precision[place] as Float64Array;
        row[place] = at(row, place) + exact;
        return at(withScores, place) / noise + exact * mean;
      });
      const hopes = Float64Array.from(priors, ({ deviation, hope = 0 }) => hope / deviation ** 2);
      const made = posteriorOf(precision, weighted, hopes, { byExample, share: share() });
      known.set(without, made);
      return made;
    },
  };
}

function posteriorOf(
  precision: readonly Float64Array[],
  weighted: Float64Array,
  hopes: Float64Array,
  {
    byExample,
    share,
  }: { readonly byExample: ReadonlyMap<string, OfExample>; readonly share: number },
): Posterior {
  const factor = cholesky(precision);
  const solved = (right: Float64Array): Float64Array =>
    solveUpper(factor, solveLower(factor, right));
  const effects = solved(weighted);
  const hoped = solved(weighted.map((value, place) => value + at(hopes, place)));
  return {
    effects,
    hoped,
    draw: (random, spread) => {
      const normals = Float64Array.from(effects, () => spread * normal(random));
      const offsets = solveUpper(factor, normals);
      return hoped.map((effect, place) => effect + at(offsets, place));
    },
    sumOf: (features) => {
      const values = new Float64Array(effects.length);
      let mean = 0;
      for (const [place, value] of features) {
        values[place] = at(values, place) + value;
        mean += value * at(effects, place);
      }
      const spread = solveLower(factor, values);
      return { mean, deviation: Math.sqrt(spread.reduce((sum, value) => sum + value ** 2, 0)) };
    },
    levelOf: (exampleId) => {
      const level = at(effects, 0);
      const own = byExample.get(exampleId);
      if (own === undefined) return level;
      let rest = own.score;
      for (const [place, value] of own.features) rest -= value * at(effects, place);
      return level + rest / (own.count + share);
    },
  };
}

/** Standard normal. */
function normal(random: RandomSource): number {
  return normalQuantile(Math.min(1 - 1e-12, Math.max(1e-12, random.random())));
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
