import type { DisputedScores, ScoreReuseDispute } from "../../contract/optimizer-event.ts";
import { testMartingale } from "../../../statistics/index.ts";

/**
 * Judges, over one run, whether a re-run that disagrees with a reused score shows that reuse was
 * wrong.
 */
export interface MismatchJudge {
  /** Whether both candidates must be run once more before the mismatch is judged. */
  asksForMore(mismatch: ScoreReuseDispute): boolean;
  /** Judges a mismatch, once; `true` disables score reuse. */
  isWrong(mismatch: ScoreReuseDispute): boolean;
  /** Whether the mismatches so far suggest that reuse is wrong. */
  readonly isSuspicious: boolean;
}

/**
 * Decides as follows:
 *
 * - If both candidates repeat their scores exactly, twice, and nothing in this run has varied
 *   before, each has its own score, so a text that the trace does not show affects it. (Scores with
 *   two values may do so by chance, in up to one run of sixteen: reuse then ends needlessly, which
 *   costs rollouts but not correctness.)
 * - Otherwise scores vary. If that is all, every order of a mismatch's four scores is equally
 *   likely, and a fair bet that the candidates differ more than their repetitions gains nothing on
 *   average, whatever came before. By Ville's inequality, it ever reaches twenty times its stake in
 *   at most one run of twenty; reaching it ends reuse.
 * - A mismatch that could not be repeated counts as wrong until scores are seen to vary.
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
      const { reused, again, repeated } = mismatch;
      const [first] = repeated;
      if (first === undefined) return !varies;
      varies ||= !repeated.every((repetition) => isExact(repetition, mismatch));
      if (!varies) return true;
      const bet = betOn([reused, first.reused], [again, first.again]);
      if (bet === null) return false;
      bets.add(bet.isWon ? bet.odds - 1 : -1);
      return bets.wealth >= 1 / falseAlarms;
    },
    get isSuspicious() {
      return bets.wealth > 1;
    },
  };
}

function isExact(repetition: DisputedScores, { reused, again }: DisputedScores): boolean {
  return repetition.reused === reused && repetition.again === again;
}

const falseAlarms = 0.05;

/**
 * Shares of the stake to bet on each mismatch: large shares detect large differences early, small
 * shares detect small differences eventually.
 */
const shares = [0.9, 0.5, 0.2];

type Pair<TScore> = readonly [TScore, TScore];

/**
 * Whether a bet is won, and the multiple of the stake it then pays; `null` if the bet cannot be
 * decided.
 *
 * @param ones scores of one candidate; the first is the one in disagreement with the other
 *   candidate's first score
 */
function betOn(
  ones: Pair<number | null>,
  others: Pair<number | null>,
): { readonly odds: number; readonly isWon: boolean } | null {
  const areNumbers = isPairOfNumbers(ones) && isPairOfNumbers(others);
  if (areNumbers && new Set([...ones, ...others]).size === 4) {
    const [[one, oneAgain], [other, otherAgain]] = [ones, others];
    // Four scores form two pairs in three ways; each way separates them furthest equally often.
    const isWon =
      distance(ones, others) >
      Math.max(
        distance([one, other], [oneAgain, otherAgain]),
        distance([one, otherAgain], [oneAgain, other]),
      );
    return { odds: 3, isWon };
  }
  // The first two scores differ; by chance, the last two differ in either direction equally often.
  const sameWay = order(ones[0], others[0]) * order(ones[1], others[1]);
  return sameWay === 0 ? null : { odds: 2, isWon: sameWay > 0 };
}

function isPairOfNumbers(pair: Pair<number | null>): pair is Pair<number> {
  return pair[0] !== null && pair[1] !== null;
}

function distance(ones: Pair<number>, others: Pair<number>): number {
  return Math.abs(ones[0] + ones[1] - others[0] - others[1]);
}

/** 1, 0 or -1; a score that is not applicable ranks below every number. */
function order(one: number | null, other: number | null): number {
  if (one === other) return 0;
  return (one ?? -Infinity) > (other ?? -Infinity) ? 1 : -1;
}
