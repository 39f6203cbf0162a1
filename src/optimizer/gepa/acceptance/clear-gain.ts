import type { RandomSource } from "../../../contract/index.ts";
import { signFlipTest } from "../../../statistics/index.ts";
import type { ScorePairs } from "../strategy/strategy.ts";
import { differencesOf, gainOf, rounding } from "./minibatch-acceptance.ts";
import { gainText } from "./val-acceptance.ts";

/** One side of a 95 % interval. */
const alpha = 0.025;

/**
 * Why a gain on val is not certain, as a sentence: the 95 % interval of the mean difference reaches
 * 0. The interval holds every shift that a paired sign-flip test does not reject, so it is above 0
 * where that test, one-sided, has p <= .025; this takes at least six differing pairs. `null` if the
 * gain is certain.
 */
export function doubtAbout(onVal: ScorePairs, random: () => RandomSource): string | null {
  if (gainOf(onVal) <= rounding) return gainText(onVal);
  const p = signFlipP(onVal, random);
  if (p <= alpha) return null;
  return `${gainText(onVal)} The 95 % interval of that gain reaches 0 (sign-flip test, one-sided p = ${p.toFixed(3)}).`;
}

/**
 * Share of sign flips of the differences, by weight, whose sum is at least the observed one: exact
 * up to 12 differing pairs, of 4,096 random flips above.
 */
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
