import { normalCdf, normalQuantile } from "./normal.ts";

/**
 * Maps a nominal level to the one at which the sorted estimates are read, so that the interval is
 * bias-corrected and accelerated; see `clusterBootstrap`.
 *
 * @param jackknife the statistic without each cluster in turn
 */
export function correction(
  estimates: Float64Array,
  point: number,
  jackknife: () => Float64Array,
): (level: number) => number {
  const below = estimates.reduce((count, estimate) => count + (estimate < point ? 1 : 0), 0);
  const upTo = estimates.reduce((count, estimate) => count + (estimate <= point ? 1 : 0), 0);
  const share = (below + upTo) / (2 * estimates.length);
  // With all estimates on one side the bias is undefined: use plain percentiles.
  if (share === 0 || share === 1) return (level) => level;
  const bias = normalQuantile(share);
  const accelerated = acceleration(jackknife());
  return (level) => {
    const shifted = bias + normalQuantile(level);
    return normalCdf(bias + shifted / (1 - accelerated * shifted));
  };
}

function acceleration(left: Float64Array): number {
  const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
  const squares = left.reduce((sum, value) => sum + (mean - value) ** 2, 0);
  const cubes = left.reduce((sum, value) => sum + (mean - value) ** 3, 0);
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** Linear between order statistics (type 7 of Hyndman and Fan 1996, the default of numpy). */
export function quantile(sorted: Float64Array, level: number): number {
  const index = level * (sorted.length - 1);
  const low = sorted[Math.floor(index)] ?? NaN;
  const high = sorted[Math.ceil(index)] ?? NaN;
  return low + (high - low) * (index - Math.floor(index));
}
