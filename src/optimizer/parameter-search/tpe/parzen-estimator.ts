import { sum } from "../../../statistics/index.ts";
import type { Dimension, Point } from "./dimension.ts";
import { choiceKernels } from "./choice-kernels.ts";
import type { Kernels } from "./kernels.ts";
import { numberKernels } from "./number-kernels.ts";

/** A density over a space, estimated from points in it. */
export interface ParzenEstimator {
  logDensity(point: Point): number;
  /**
   * Draws points: a kernel for each, then values of the choices, then those of the numbers,
   * dimension by dimension, from one uniform draw each.
   */
  draw(count: number, random: () => number): readonly Point[];
}

/**
 * A mixture of products of kernels, one for each observation and one for the prior: the
 * multivariate estimator of S. Falkner, A. Klein and F. Hutter, "BOHB", ICML 2018, with the kernels
 * and the draws of `_ParzenEstimator` of Optuna 5.0.0 (Akiba et al., KDD 2019).
 *
 * @param relative the weight of each observation; that of the prior is 1
 */
export function parzenEstimator(
  dimensions: readonly Dimension[],
  observations: readonly Point[],
  relative: readonly number[],
): ParzenEstimator {
  const kernels = dimensions.map((dimension, place) =>
    kernelsOf(
      dimension,
      observations.map((point) => point[place] as number),
    ),
  );
  const raw = [...relative, 1];
  const total = sum(raw);
  const weights = raw.map((weight) => weight / total);
  const logWeights = weights.map(Math.log);
  const inDrawOrder = dimensions
    .map((_, place) => place)
    .toSorted((one, other) => rankOf(dimensions[one]) - rankOf(dimensions[other]));

  return {
    logDensity: (point) =>
      logOfSum(
        logWeights.map((logWeight, kernel) =>
          kernels.reduce(
            (log, along, place) => log + along.logDensity(kernel, point[place] as number),
            logWeight,
          ),
        ),
      ),
    draw: (count, random) => {
      const drawn = Array.from({ length: count }, () => drawnPlace(weights, random()));
      const points = drawn.map((): number[] => dimensions.map(() => 0));
      for (const place of inDrawOrder) {
        for (const [index, kernel] of drawn.entries()) {
          const value = (kernels[place] as Kernels).draw(kernel, random());
          (points[index] as number[])[place] = value;
        }
      }
      return points;
    },
  };
}

function kernelsOf(dimension: Dimension, observations: readonly number[]): Kernels {
  return dimension.kind === "choice"
    ? choiceKernels(dimension, observations)
    : numberKernels(dimension, observations);
}

function rankOf(dimension: Dimension | undefined): number {
  return dimension?.kind === "choice" ? 0 : 1;
}

/** A place with the probability of its weight. */
function drawnPlace(weights: readonly number[], share: number): number {
  let below = 0;
  const place = weights.findIndex((weight) => share < (below += weight));
  return place === -1 ? weights.length - 1 : place;
}

function logOfSum(logs: readonly number[]): number {
  const most = Math.max(...logs);
  return most === -Infinity ? most : most + Math.log(sum(logs.map((log) => Math.exp(log - most))));
}
