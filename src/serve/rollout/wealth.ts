/**
 * A bet that the mean of what comes is above 0.
 *
 * I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86
 * (2024), section 4: each excess multiplies the wealth by `1 + bet * excess`, which is at most 1 on average
 * while the mean is at most 0, whatever came before, so that the wealth is a non-negative supermartingale
 * that begins at 1. By Ville's inequality it ever reaches `1 / alpha` with a probability of at most `alpha`,
 * however often one looks and whenever one stops. The stake is divided among bets of several sizes, as in
 * H. Robbins' method of mixtures: a small difference is won by small bets, a great one by great bets, and
 * none has to be guessed.
 */
export interface Wealth {
  readonly amount: number;
  /** What each bet made of 1, smaller bets last; `amount` is their mean. */
  readonly stakes: Readonly<Float64Array>;
  /** @param excess in [-1 - tolerance, 1] */
  add(excess: number): void;
}

/** @param tolerance in [0, 1): by how much an excess may be below -1 */
export function wealth(tolerance: number): Wealth {
  // The least factor is .1: one bad value takes no stake for good.
  const bets = shares.map((share) => share / (1 + tolerance));
  const stakes = Float64Array.from(bets, () => 1);
  return {
    stakes,
    get amount() {
      return stakes.reduce((sum, stake) => sum + stake, 0) / bets.length;
    },
    add: (excess) => {
      for (let index = 0; index < stakes.length; index += 1) {
        const stake = (stakes[index] ?? 0) * (1 + (bets[index] ?? 0) * excess);
        // Wealth that is thrown away beyond what a number holds makes nothing easier.
        stakes[index] = Math.min(stake, Number.MAX_VALUE / stakes.length);
      }
    },
  };
}

/** Of the greatest bet that the worst value leaves something of; each half of the one before. */
const shares: readonly number[] = [0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028125];
