import type { RandomSource } from "../internal/index.ts";
import { correction, quantile } from "./bias-corrected.ts";
import type { Interval } from "./cluster-bootstrap.ts";

/** Values of one mean, summed by cluster; a cluster without a value has count 0. */
export interface ClusterSums {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

export interface RatioBootstrapOptions {
  readonly clusterCount: number;
  readonly means: readonly ClusterSums[];
  readonly resamples: number;
  readonly random: RandomSource;
}

/**
 * 95 % intervals of many means over the same clusters, as `clusterBootstrap` computes them one by
 * one, but from the same resamples: the draws, which cost most, are made once, and the jackknife of
 * a ratio of sums takes one pass. `null` for a mean with values in fewer than two clusters.
 */
export function ratioBootstrap({
  clusterCount,
  means,
  resamples,
  random,
}: RatioBootstrapOptions): readonly (Interval | null)[] {
  const estimates = means.map(() => new Float64Array(resamples));
  const times = new Float64Array(clusterCount);
  for (let resample = 0; resample < resamples; resample++) {
    times.fill(0);
    for (let draw = 0; draw < clusterCount; draw++) {
      const cluster = random.below(clusterCount);
      times[cluster] = (times[cluster] ?? 0) + 1;
    }
    for (const [index, { sums, counts }] of means.entries()) {
      let [sum, count] = [0, 0];
      for (let cluster = 0; cluster < clusterCount; cluster++) {
        const weight = times[cluster] as number;
        sum += weight * (sums[cluster] as number);
        count += weight * (counts[cluster] as number);
      }
      (estimates[index] as Float64Array)[resample] = count === 0 ? NaN : sum / count;
    }
  }
  return means.map((mean, index) => intervalOf(mean, estimates[index] as Float64Array));
}

function intervalOf({ sums, counts }: ClusterSums, drawn: Float64Array): Interval | null {
  const held = counts.reduce((number, count) => number + (count > 0 ? 1 : 0), 0);
  // A resample may lack every cluster of a mean with few.
  const estimates = drawn.filter((estimate) => !Number.isNaN(estimate)).toSorted();
  if (held < 2 || estimates.length === 0) return null;
  const [sum, count] = [total(sums), total(counts)];
  const left = Float64Array.from(
    [...counts.keys()].filter((cluster) => (counts[cluster] as number) > 0),
    (cluster) => (sum - (sums[cluster] as number)) / (count - (counts[cluster] as number)),
  );
  const correct = correction(estimates, sum / count, () => left);
  return Object.freeze({
    low: quantile(estimates, correct(0.025)),
    high: quantile(estimates, correct(0.975)),
  });
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
