import { testMartingale } from "../../../statistics/index.ts";
import { differencesOf, gainOf, rounding } from "../acceptance/minibatch-acceptance.ts";
import { checkAbove, checkCount, checkShare } from "../strategy/check-range.ts";
import type { ValidationPolicy } from "../strategy/strategy.ts";
import { drawPanel } from "./draw-panel.ts";

export interface RacingValidationOptions {
  /** Examples of a group, which run side by side. @default 16 */
  readonly size?: number;
  /**
   * By how many perfect scores a child's sum may be behind, exclusive; three times as many where
   * scores vary from run to run, elsewhere by at least one standard error of the sum of
   * differences, which is more where gains and losses are many. @default 1
   */
  readonly behind?: number;
  /** Of a larger val, so many examples are drawn for the whole run. @default 100 */
  readonly panel?: number;
  /**
   * Maximum probability of calling a child better early that is not; 0 evaluates every child to the
   * end. @default 0.2
   */
  readonly alpha?: number;
}

/**
 * Runs val, or a panel of it, in groups of `size`, in random order. A child is stopped when it is
 * behind its parent and could not do better even with perfect scores on the rest; or when its sum
 * is further behind than `behind` allows, even though it might still win (not if the perfect score
 * is 0 or less). Stopping earlier, at the first sign of weakness, costs more good candidates than
 * it saves runs. It is accepted as soon as a test that remains valid however often it is checked
 * finds it better. Without a perfect score, or if the objective is not a mean of scores, every
 * child runs on all of val.
 */
export function racingValidation({
  size = 16,
  behind = 1,
  panel = 100,
  alpha = 0.2,
}: RacingValidationOptions = {}): ValidationPolicy {
  checkCount("size", size);
  checkAbove("behind", behind, 0);
  checkCount("panel", panel);
  checkShare("alpha", alpha);
  return {
    name: "racing",
    settings: { size, behind, panel, alpha },
    costs: ({ val }) => ({ rejected: Math.min(size, val), most: Math.min(panel, val) }),
    panel: (seed, perfectScore, random) =>
      drawPanel(seed, { size: panel, others: Math.min(30, panel), perfectScore }, random),
    order: ({ random }, exampleIds, place) => {
      if (exampleIds.length <= size) return [exampleIds];
      const shuffled = random("validation", place).shuffle(exampleIds);
      return Array.from({ length: Math.ceil(shuffled.length / size) }, (_, group) =>
        shuffled.slice(group * size, (group + 1) * size),
      );
    },
    stop: (pairs, mostToGain, perfectScore) => {
      const gap = -gainOf(pairs);
      // Where scores repeat themselves, luck shows only as gains and losses at once.
      const luck =
        pairs.vary === true ? 3 * behind * perfectScore : Math.hypot(...differencesOf(pairs));
      const most = perfectScore > 0 ? Math.max(behind * perfectScore, luck) : Infinity;
      if (gap >= most) return `${Number(gap.toFixed(4))} behind its parent on part of val.`;
      // A child that is level may tie on all of val, which `neutralByTraining` can accept.
      if (mostToGain > gap || gap <= rounding) return null;
      return "Even if perfect on the rest of val, no better than its parent.";
    },
    accept: (pairs, perfectScore) => {
      if (alpha === 0 || perfectScore <= 0) return false;
      const most = Math.max(1, ...(pairs.weights ?? [])) * perfectScore;
      const bet = testMartingale(stakes);
      return differencesOf(pairs).some((difference) => {
        bet.add(Math.max(-1, Math.min(1, difference / most)));
        return bet.wealth >= 1 / alpha;
      });
    },
  };
}

/** From cautious to all of it: small gains take small bets, and large ones need no more. */
const stakes = [0.25, 0.5, 1] as const;
