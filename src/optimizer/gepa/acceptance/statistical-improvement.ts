import { EspalierError } from "../../../errors/index.ts";
import type { RandomSource } from "../../../contract/index.ts";
import { signFlipTest } from "../../../statistics/index.ts";
import type { MinibatchAcceptance, ScorePairs } from "../strategy/strategy.ts";
import { differencesOf, gainOf, rounding } from "./minibatch-acceptance.ts";

/**
 * Accepts a gain that chance alone would produce with a probability of at most `alpha`, by the
 * one-sided paired sign-flip test: exact up to 12 differing pairs, 4,096 random flips above. With n
 * differing pairs, no p-value is below 2^-n: three examples can never reach .05, so use larger
 * minibatches.
 */
export function statisticalImprovement({
  alpha = 0.2,
}: { readonly alpha?: number } = {}): MinibatchAcceptance {
  if (!(alpha > 0 && alpha < 1)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "Option `alpha` of statisticalImprovement() is outside its range",
      expected: "a number above 0 and below 1",
      got: String(alpha),
    });
  }
  return {
    name: "statistical-improvement",
    settings: { alpha },
    judge: (pairs, random) => {
      const p = signFlipP(pairs, random);
      const gain = gainOf(pairs);
      if (gain > rounding && p <= alpha) return { accepts: true };
      const shown = `A gain of ${Number(gain.toFixed(4))} on the minibatch`;
      return {
        accepts: false,
        reason:
          gain > rounding
            ? `${shown} has p = ${p.toFixed(3)}, above ${alpha}.`
            : `${shown} is no improvement.`,
      };
    },
  };
}

/** Share of sign flips of the differences, by weight, whose sum is at least the observed one. */
export function signFlipP(pairs: ScorePairs, random: () => RandomSource): number {
  const differences = differencesOf(pairs).filter((difference) => difference !== 0);
  return signFlipTest({
    count: differences.length,
    statistic: (flipped) =>
      differences.reduce(
        (sum, difference, place) => sum + (flipped[place] === 1 ? -difference : difference),
        0,
      ),
    alternative: "greater",
    resamples: 2 ** 12,
    random,
    signsPerDraw: 1,
  });
}
