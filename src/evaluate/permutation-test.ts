import type { RandomSource } from "../contract/index.ts";

/** A figure of two systems after exchanging them in the clusters marked 1. */
export type SwapStatistic = (swapped: Uint8Array) => number;

export interface PermutationTestOptions {
  readonly clusterCount: number;
  readonly statistic: SwapStatistic;
  readonly resamples: number;
  readonly random: RandomSource;
}

/**
 * Two-sided p-value of a paired comparison: if the two systems were alike, exchanging them within a
 * cluster would change nothing, so the share of exchanges that move them at least as far apart as
 * they are is the p-value (approximate randomisation, E. W. Noreen 1989). Exact, over all exchanges,
 * when there are no more than `resamples` of them; else (1 + hits) / (1 + resamples), which is valid
 * for any number of resamples (B. Phipson and G. K. Smyth 2010).
 */
export function permutationTest({
  clusterCount,
  statistic,
  resamples,
  random,
}: PermutationTestOptions): number {
  const swapped = new Uint8Array(clusterCount);
  // Sums in another order differ in the last digits; equal must stay equal.
  const observed = Math.abs(statistic(swapped)) * (1 - 1e-12);
  const isHit = () => Math.abs(statistic(swapped)) >= observed;
  let hits = 0;

  const all = 2 ** clusterCount;
  if (all <= resamples) {
    for (let pattern = 0; pattern < all; pattern++) {
      for (let place = 0; place < clusterCount; place++) swapped[place] = (pattern >> place) & 1;
      if (isHit()) hits++;
    }
    return hits / all;
  }
  for (let resample = 0; resample < resamples; resample++) {
    drawBits(swapped, random);
    if (isHit()) hits++;
  }
  return (1 + hits) / (1 + resamples);
}

/** One draw yields 30 bits: a draw for each would take most of the time. */
function drawBits(bits: Uint8Array, random: RandomSource): void {
  let drawn = 0;
  for (let place = 0; place < bits.length; place++) {
    drawn = place % 30 === 0 ? random.below(2 ** 30) : drawn >> 1;
    bits[place] = drawn & 1;
  }
}
