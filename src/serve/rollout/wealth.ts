/**
 * A bet against the hypothesis that the mean of what comes is at most `threshold`.
 *
 * I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86
 * (2024), section 4: each value multiplies the wealth by `1 + bet * (value - threshold)`, which under the
 * hypothesis is at most 1 on average whatever came before, so that the wealth is a non-negative
 * supermartingale that begins at 1. By Ville's inequality it ever reaches `1 / alpha` with a probability of
 * at most `alpha`, however often one looks and whenever one stops. The stake is divided among bets of
 * several sizes, as in H. Robbins' method of mixtures: a small difference is won by small bets, a great one
 * by great bets, and none has to be guessed.
 */
export interface Wealth {
  readonly amount: number;
  /** @param value in [-1, 1] */
  add(value: number): void;
}

/** @param threshold in [0, 1) */
export function wealth(threshold: number): Wealth {
  // The least factor is .1: one bad value takes no stake for good.
  const bets = shares.map((share) => share / (1 + threshold));
  // What each bet makes of 1; the wealth is their mean.
  const stakes = Float64Array.from(bets, () => 1);
  return {
    get amount() {
      return stakes.reduce((sum, stake) => sum + stake, 0) / bets.length;
    },
    add: (value) => {
      for (const [index, bet] of bets.entries()) {
        const stake = (stakes[index] ?? 0) * (1 + bet * (value - threshold));
        // Wealth that is thrown away beyond what a number holds makes nothing easier.
        stakes[index] = Math.min(stake, Number.MAX_VALUE / bets.length);
      }
    },
  };
}

/** Of the greatest bet that the worst value leaves something of; each half of the one before. */
const shares: readonly number[] = [0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028125];
