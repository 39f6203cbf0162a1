import { cholesky, solveLower, solveUpper } from "./cholesky.ts";

/** One observation of a linear model: its non-zero features, by number, and what was seen. */
export interface Observation {
  readonly features: ReadonlyMap<number, number>;
  readonly value: number;
}

/** What observations say of the coefficients of a linear model. */
export interface LinearPosterior {
  readonly mean: Float64Array;
  /** Variance of the value expected of these features. */
  varianceOf(features: Observation["features"]): number;
  /** One draw of all coefficients together; `normal` gives standard normal draws. */
  draw(normal: () => number): Float64Array;
}

/**
 * Bayesian linear regression with independent normal priors of mean 0 and normal noise of known
 * variance (Bishop, Pattern Recognition and Machine Learning, 3.3). Takes time with the cube of the
 * number of coefficients.
 *
 * @param priorVariances one for each coefficient, above 0
 */
export function linearPosterior(
  observations: readonly Observation[],
  {
    priorVariances,
    noiseVariance,
  }: { readonly priorVariances: readonly number[]; readonly noiseVariance: number },
): LinearPosterior {
  const size = priorVariances.length;
  const precision = priorVariances.map((variance, row) => {
    const line = new Float64Array(size);
    line[row] = 1 / variance;
    return line;
  });
  const moment = new Float64Array(size);
  for (const { features, value } of observations) {
    for (const [row, left] of features) {
      moment[row] = at(moment, row) + (left * value) / noiseVariance;
      const line = precision[row] as Float64Array;
      for (const [column, right] of features) {
        line[column] = at(line, column) + (left * right) / noiseVariance;
      }
    }
  }
  const root = cholesky(precision);
  const mean = solveUpper(root, solveLower(root, moment));
  return {
    mean,
    varianceOf: (features) => {
      const weights = new Float64Array(size);
      for (const [index, weight] of features) weights[index] = weight;
      return solveLower(root, weights).reduce((sum, part) => sum + part * part, 0);
    },
    draw: (normal) => {
      const shift = solveUpper(root, Float64Array.from({ length: size }, normal));
      return mean.map((centre, index) => centre + at(shift, index));
    },
  };
}

/** In range by construction. */
function at(values: Float64Array, index: number): number {
  return values[index] as number;
}
