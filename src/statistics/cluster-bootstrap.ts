import type { RandomSource } from "../internal/index.ts";
import { normalCdf, normalQuantile } from "./normal.ts";

/** Bounds of a 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A statistic computed from clusters, given by index; a cluster may be drawn more than once. */
export type ClusterStatistic = (drawn: Int32Array) => number;

export interface ClusterBootstrapOptions {
  readonly clusterCount: number;
  readonly statistic: ClusterStatistic;
  readonly resamples: number;
  readonly random: RandomSource;
}

/**
 * 95 % interval of a statistic by the bootstrap over clusters: each resample draws as many clusters
 * as there are, with replacement, and takes each one whole. Bounds are bias-corrected and
 * accelerated (B. Efron, "Better Bootstrap Confidence Intervals", JASA 82, 1987), since scores near
 * 0 or 1 are skewed and plain percentiles would lie too far inside; the acceleration comes from the
 * jackknife over clusters. Ties and quantiles follow `scipy.stats.bootstrap`.
 *
 * Returns `null` with fewer than two clusters or without resamples.
 */
export function clusterBootstrap({
  clusterCount,
  statistic,
  resamples,
  random,
}: ClusterBootstrapOptions): Interval | null {
  if (clusterCount < 2 || resamples < 1) return null;
  const estimates = new Float64Array(resamples);
  const drawn = new Int32Array(clusterCount);
  for (let resample = 0; resample < resamples; resample++) {
    for (let place = 0; place < clusterCount; place++) drawn[place] = random.below(clusterCount);
    estimates[resample] = statistic(drawn);
  }
  estimates.sort();
  const point = statistic(Int32Array.from({ length: clusterCount }, (_, index) => index));
  const correct = correction(estimates, point, () => acceleration(clusterCount, statistic));
  return Object.freeze({
    low: quantile(estimates, correct(0.025)),
    high: quantile(estimates, correct(0.975)),
  });
}

/** Maps a nominal level to the one at which the sorted estimates are read. */
function correction(
  estimates: Float64Array,
  point: number,
  accelerationOf: () => number,
): (level: number) => number {
  const below = estimates.reduce((count, estimate) => count + (estimate < point ? 1 : 0), 0);
  const upTo = estimates.reduce((count, estimate) => count + (estimate <= point ? 1 : 0), 0);
  const share = (below + upTo) / (2 * estimates.length);
  // With all estimates on one side the bias is undefined: use plain percentiles.
  if (share === 0 || share === 1) return (level) => level;
  const bias = normalQuantile(share);
  const accelerated = accelerationOf();
  return (level) => {
    const shifted = bias + normalQuantile(level);
    return normalCdf(bias + shifted / (1 - accelerated * shifted));
  };
}

function acceleration(clusterCount: number, statistic: ClusterStatistic): number {
  const kept = Int32Array.from({ length: clusterCount - 1 }, (_, index) => index + 1);
  const left = new Float64Array(clusterCount);
  for (let out = 0; out < clusterCount; out++) {
    left[out] = statistic(kept);
    if (out < clusterCount - 1) kept[out] = out;
  }
  const mean = left.reduce((sum, value) => sum + value, 0) / clusterCount;
  const squares = left.reduce((sum, value) => sum + (mean - value) ** 2, 0);
  const cubes = left.reduce((sum, value) => sum + (mean - value) ** 3, 0);
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** Linear between order statistics (type 7 of Hyndman and Fan 1996, the default of numpy). */
function quantile(sorted: Float64Array, level: number): number {
  const place = level * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  return low + (high - low) * (place - Math.floor(place));
}
