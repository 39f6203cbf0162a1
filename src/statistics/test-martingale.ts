/**
 * A bet that the mean of future payoffs is above 0.
 *
 * I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B
 * 86 (2024), section 4: each payoff multiplies the wealth by `1 + share * payoff`. While the mean
 * is at most 0, that factor is at most 1 on average, whatever came before, so the wealth is a
 * non-negative supermartingale that begins at 1. By Ville's inequality it ever reaches `1 / alpha`
 * with probability at most `alpha`, however often one looks and whenever one stops. The stake is
 * divided among bets of several sizes, as in H. Robbins' method of mixtures: small bets eventually
 * find a small difference, large bets find a large one soon, and neither size has to be guessed.
 */
export interface TestMartingale {
  /** The mean of `stakes`; 1 before the first payoff. */
  readonly wealth: number;
  /** What each bet has made of a stake of 1, in the order of the shares. */
  readonly stakes: Readonly<Float64Array>;
  /** @param payoff high enough that no `1 + share * payoff` is below 0 */
  add(payoff: number): void;
}

/** @param shares the share of its stake that each bet puts on every payoff */
export function testMartingale(shares: readonly number[]): TestMartingale {
  const stakes = Float64Array.from(shares, () => 1);
  return {
    stakes,
    get wealth() {
      return stakes.reduce((sum, stake) => sum + stake, 0) / shares.length;
    },
    add: (payoff) => {
      for (let index = 0; index < stakes.length; index += 1) {
        const stake = (stakes[index] ?? 0) * (1 + (shares[index] ?? 0) * payoff);
        // Discarding wealth beyond the range of a number makes no rejection easier.
        stakes[index] = Math.min(stake, Number.MAX_VALUE / stakes.length);
      }
    },
  };
}
