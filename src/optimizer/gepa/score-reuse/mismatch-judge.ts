import { testMartingale } from "../../../statistics/index.ts";
import type { DisputedScores, InheritanceDispute } from "../../contract/optimizer-event.ts";

/** Judges, over one run, whether scores that re-runs disagree with should not have been reused. */
export interface MismatchJudge {
  /** Whether both candidates must be run once more before it is judged. */
  asksForMore(mismatch: InheritanceDispute): boolean;
  /** Judges a mismatch, once; `true` disables score reuse. */
  isWrong(mismatch: InheritanceDispute): boolean;
  /** Whether the mismatches so far look as if something is wrong. */
  readonly isSuspicious: boolean;
}

/**
 * - Both candidates repeat their scores exactly, twice, and nothing of this run has varied before:
 *   each has a score of its own, so that a text which the trace does not know of has a part in it.
 *   (Scores of two values may do so by luck, in up to one run of sixteen: reuse then ends for
 *   nothing, which costs rollouts and no truth.)
 * - Else scores vary. Where that is all, the four scores of a mismatch come in any order alike, and
 *   a bet at fair odds that the candidates differ more than their repetitions gains nothing on
 *   average, whatever came before. By Ville's inequality it ever makes twenty times its stake in
 *   one run of twenty at most; that ends reuse.
 * - What could not be repeated counts as wrong until scores were seen to vary.
 */
export function mismatchJudge(): MismatchJudge {
  let varies = false;
  const bets = testMartingale(shares);
  return {
    asksForMore: (mismatch) => {
      const [first, second] = mismatch.repeated;
      return first === undefined || (!varies && second === undefined && isExact(first, mismatch));
    },
    isWrong: (mismatch) => {
      const { inherited, again, repeated } = mismatch;
      const [first] = repeated;
      if (first === undefined) return !varies;
      varies ||= !repeated.every((repetition) => isExact(repetition, mismatch));
      if (!varies) return true;
      const bet = betOn([inherited, first.inherited], [again, first.again]);
      if (bet === null) return false;
      bets.add(bet.isWon ? bet.odds - 1 : -1);
      return bets.wealth >= 1 / falseAlarms;
    },
    get isSuspicious() {
      return bets.wealth > 1;
    },
  };
}

function isExact(repetition: DisputedScores, { inherited, again }: DisputedScores): boolean {
  return repetition.inherited === inherited && repetition.again === again;
}

const falseAlarms = 0.05;

/**
 * Of a stake that are put on each mismatch: much finds great differences soon, little small ones at
 * last.
 */
const shares = [0.9, 0.5, 0.2];

type Pair<TScore> = readonly [TScore, TScore];

/**
 * Whether a bet is won, and how many times the stake it then pays; `null` where nothing is to be
 * won.
 *
 * @param ones scores of the one candidate, first the one by which the other's disagrees with it
 */
function betOn(
  ones: Pair<number | null>,
  others: Pair<number | null>,
): { readonly odds: number; readonly isWon: boolean } | null {
  const areNumbers = isPairOfNumbers(ones) && isPairOfNumbers(others);
  if (areNumbers && new Set([...ones, ...others]).size === 4) {
    const [[one, oneAgain], [other, otherAgain]] = [ones, others];
    // Of the three ways to make two pairs of four scores, each sets them furthest apart as often.
    const isWon =
      distance(ones, others) >
      Math.max(
        distance([one, other], [oneAgain, otherAgain]),
        distance([one, otherAgain], [oneAgain, other]),
      );
    return { odds: 3, isWon };
  }
  // The first two differ, and the last two do so the same way round as often as the other.
  const sameWay = order(ones[0], others[0]) * order(ones[1], others[1]);
  return sameWay === 0 ? null : { odds: 2, isWon: sameWay > 0 };
}

function isPairOfNumbers(pair: Pair<number | null>): pair is Pair<number> {
  return pair[0] !== null && pair[1] !== null;
}

function distance(ones: Pair<number>, others: Pair<number>): number {
  return Math.abs(ones[0] + ones[1] - others[0] - others[1]);
}

/** 1, 0 or -1; what is not applicable comes below every score. */
function order(one: number | null, other: number | null): number {
  if (one === other) return 0;
  return (one ?? -Infinity) > (other ?? -Infinity) ? 1 : -1;
}
