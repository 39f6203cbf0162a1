import type { RandomSource } from "../internal/index.ts";

/** A statistic of paired differences with the signs marked 1 flipped. */
export type SignFlipStatistic = (flipped: Uint8Array) => number;

export interface SignFlipTestOptions {
  /** How many signs can be flipped independently: the number of pairs, or of clusters of pairs. */
  readonly count: number;
  readonly statistic: SignFlipStatistic;
  /**
   * - `two-sided`: how often the statistic is at least as far from 0 as the observed one.
   * - `greater`: how often it is at least as high.
   */
  readonly alternative: "two-sided" | "greater";
  /** Random sign patterns; if there are no more patterns than that, each is tried once instead. */
  readonly resamples: number;
  /** Called only if patterns are drawn. */
  readonly random: () => Pick<RandomSource, "below">;
  /** Signs per draw, 1 to 30; reproducing recorded figures requires the same number. */
  readonly signsPerDraw: number;
}

/**
 * p-value of a paired comparison, in (0, 1]. If the two sides were alike, exchanging them within a
 * pair, which flips the sign of its difference, would change nothing. The p-value is the share of
 * sign patterns whose statistic is at least as extreme as the observed one (approximate
 * randomisation, E. W. Noreen, "Computer-Intensive Methods for Testing Hypotheses", 1989). With n
 * pairs it is at least 2^-n.
 *
 * Exact with at most `resamples` patterns; otherwise (1 + hits) / (1 + resamples), which is valid
 * for any number of resamples (B. Phipson and G. K. Smyth, "Permutation p-values should never be
 * zero", 2010).
 */
export function signFlipTest({
  count,
  statistic,
  alternative,
  resamples,
  random,
  signsPerDraw,
}: SignFlipTestOptions): number {
  const flipped = new Uint8Array(count);
  const isExtreme = extremes[alternative](statistic(flipped));
  let hits = 0;

  const all = 2 ** count;
  if (all <= resamples) {
    for (let pattern = 0; pattern < all; pattern++) {
      for (let index = 0; index < count; index++) flipped[index] = (pattern >> index) & 1;
      if (isExtreme(statistic(flipped))) hits++;
    }
    return hits / all;
  }
  const draws = random();
  for (let resample = 0; resample < resamples; resample++) {
    drawSigns(flipped, draws, signsPerDraw);
    if (isExtreme(statistic(flipped))) hits++;
  }
  return (1 + hits) / (1 + resamples);
}

// Sums in another order differ in the last digits; equal values must stay equal.
const extremes: Readonly<
  Record<SignFlipTestOptions["alternative"], (seen: number) => (value: number) => boolean>
> = {
  "two-sided": (seen) => {
    const bound = Math.abs(seen) * (1 - 1e-12);
    return (value) => Math.abs(value) >= bound;
  },
  greater: (seen) => {
    const bound = seen - 1e-12;
    return (value) => value >= bound;
  },
};

function drawSigns(
  flipped: Uint8Array,
  random: Pick<RandomSource, "below">,
  signsPerDraw: number,
): void {
  let drawn = 0;
  for (let index = 0; index < flipped.length; index++) {
    drawn = index % signsPerDraw === 0 ? random.below(2 ** signsPerDraw) : drawn >> 1;
    flipped[index] = drawn & 1;
  }
}
