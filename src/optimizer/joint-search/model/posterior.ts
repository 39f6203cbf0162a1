import type { RandomSource } from "../../../contract/index.ts";
import {
  cholesky,
  normalQuantile,
  solveLower,
  solveUpper,
  sum,
} from "../../../statistics/index.ts";
import type { Features, Prior } from "./observation.ts";

export interface Posterior {
  /** Expected effects with the hopes of their priors, by place. */
  readonly hoped: Float64Array;
  /** Expected effects, by place. */
  readonly effects: Float64Array;
  /** Draws effects, with the posterior's standard deviations times `spread`. */
  draw(random: RandomSource, spread: number): Float64Array;
  /** The sum of effects times values. */
  sumOf(features: Features): Estimate;
  /**
   * Number of effects that observations determine, rather than priors: the sum of the shares of the
   * priors' variances that observations took away. D. MacKay, "Bayesian Interpolation", Neural
   * Computation 4, 1992.
   */
  determined(): number;
  /** Expected score of the program as it was, on an example. */
  levelOf(exampleId: string): number;
}

export interface Estimate {
  readonly mean: number;
  readonly deviation: number;
}

/** Sums over the observations of one example. */
export interface OfExample {
  count: number;
  score: number;
  readonly features: Map<number, number>;
}

/** What observations say of effects, by place. */
export interface Observed {
  /** Lower triangle of the sums of products of features, less what levels explain. */
  readonly products: readonly Float64Array[];
  /** Sums of features times scores, less what levels explain. */
  readonly withScores: Float64Array;
  readonly byExample: ReadonlyMap<string, OfExample>;
  /** Variance of an example's runs. */
  readonly noise: number;
  /** The same in units of the variance of levels. */
  readonly noiseShare: number;
}

/** @param priors by place */
export function posteriorOf(
  { products, withScores, byExample, noise, noiseShare }: Observed,
  priors: readonly Prior[],
): Posterior {
  const exact = Float64Array.from(priors, ({ deviation }) => 1 / deviation ** 2);
  const precision = products.map((values, row) => {
    const own = values.map((value) => value / noise);
    own[row] = at(own, row) + at(exact, row);
    return own;
  });
  const factor = cholesky(precision);
  const solved = (right: Float64Array): Float64Array =>
    solveUpper(factor, solveLower(factor, right));
  const weighted = withScores.map(
    (value, place) => value / noise + at(exact, place) * (priors[place]?.mean ?? 0),
  );
  const hopes = weighted.map(
    (value, place) => value + at(exact, place) * (priors[place]?.hope ?? 0),
  );
  const [effects, hoped] = [solved(weighted), solved(hopes)];
  const varianceOf = (values: Float64Array): number =>
    solveLower(factor, values).reduce((sum, value) => sum + value ** 2, 0);
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
      return { mean, deviation: Math.sqrt(varianceOf(values)) };
    },
    determined: () => {
      const unit = new Float64Array(effects.length);
      return sum(
        [...exact].map((own, place) => {
          unit[place] = 1;
          const variance = varianceOf(unit);
          unit[place] = 0;
          return 1 - own * variance;
        }),
      );
    },
    levelOf: (exampleId) => {
      const level = at(effects, 0);
      const own = byExample.get(exampleId);
      if (own === undefined) return level;
      let rest = own.score;
      for (const [place, value] of own.features) rest -= value * at(effects, place);
      return level + rest / (own.count + noiseShare);
    },
  };
}

/** Standard normal. */
function normal(random: RandomSource): number {
  return normalQuantile(Math.min(1 - 1e-12, Math.max(1e-12, random.random())));
}

function at(values: Float64Array, place: number): number {
  return values[place] as number;
}
