import type { RandomSource } from "../../../contract/index.ts";
import { checkCount, checkShare } from "../../../internal/index.ts";
import type { Selection } from "../../candidate/candidate-record.ts";
import { differencesOf, gainOf, rounding } from "./acceptance.ts";
import type { Panel, ScorePairs, ValidationPolicy } from "./strategy.ts";
import { testMartingale } from "../../../statistics/index.ts";

interface RacingValidationOptions {
  /**
   * Examples of a group, which run side by side. In a wide search (`adaptiveWidth()`), a group is
   * as large as those before it together, up to a tenth of the rollouts left. @default 16
   */
  readonly size?: number;
  /** Of a larger val, so many examples are drawn for the whole run. @default 100 */
  readonly panel?: number;
  /**
   * Maximum probability of calling a child better early that is not; 0 evaluates every child to the
   * end. @default 0.2
   */
  readonly alpha?: number;
  /**
   * Maximum probability of rejecting a child early that would have been better in the end; 0
   * rejects only what can no longer win. @default 0.05
   */
  readonly refusalAlpha?: number;
}

/**
 * Runs val, or a panel of it, in groups of `size`, in random order. A child is stopped when it
 * could not do better than its parent even with perfect scores on the rest. It is also rejected, or
 * accepted, as soon as a test that remains valid however often it is checked finds that it will not
 * end ahead, or that it is better. Without a perfect score, or if the objective is not a mean of
 * scores, every child runs on all of val.
 */
export function racingValidation({
  size = 16,
  panel = 100,
  alpha = 0.2,
  refusalAlpha = 0.05,
}: RacingValidationOptions = {}): ValidationPolicy {
  checkCount("size", size, 1, "racingValidation()");
  checkCount("panel", panel, 1, "racingValidation()");
  checkShare("alpha", alpha, "racingValidation()");
  checkShare("refusalAlpha", refusalAlpha, "racingValidation()");
  return {
    name: "racing",
    settings: { size, panel, alpha, refusalAlpha },
    costs: ({ val }) => ({ rejected: Math.min(size, val), most: Math.min(panel, val) }),
    panel: (seed, perfectScore, random) =>
      drawPanel(seed, { size: panel, others: Math.min(30, panel), perfectScore }, random),
    order: ({ random, ahead }, exampleIds, index) => {
      if (exampleIds.length <= size) return [exampleIds];
      const shuffled = random("validation", index).shuffle(exampleIds);
      const groups: (readonly string[])[] = [];
      for (let done = 0, next = size; done < shuffled.length; done += next) {
        // What the examples so far could not decide, few more will hardly decide.
        next = Math.max(size, Math.min(done, ahead));
        groups.push(shuffled.slice(done, done + next));
      }
      return groups;
    },
    stop: (pairs, maxGain, perfectScore) => {
      const gap = -gainOf(pairs);
      // A child without a loss may tie on all of val, which `neutralByTraining` can accept.
      if (maxGain <= gap + rounding && hasLoss(pairs)) {
        return "Even if perfect on the rest of val, no better than its parent.";
      }
      if (gap <= rounding || perfectScore <= 0) return null;
      const isWorse = cannotEndAhead(pairs, refusalAlpha, maxDifference(pairs, perfectScore));
      return isWorse ? `${Number(gap.toFixed(4))} behind its parent on part of val.` : null;
    },
    accept: (pairs, perfectScore) =>
      perfectScore > 0 &&
      isAboveZero(differencesOf(pairs), alpha, maxDifference(pairs, perfectScore)),
  };
}

/** Whether bets on the differences, in their order, ever find their mean above 0. */
function isAboveZero(differences: readonly number[], alpha: number, most: number): boolean {
  if (alpha === 0) return false;
  const bet = testMartingale(stakes);
  return differences.some((difference) => {
    bet.add(Math.max(-1, Math.min(1, difference / most)));
    return bet.wealth >= 1 / alpha;
  });
}

/**
 * Whether bets that the child will not end ahead of its parent ever win too much for one that
 * will. Such a child gains on what is left more than it is behind, so that the next difference,
 * drawn from what is left, is on average above the gap's share of it: each tie and each loss is
 * evidence, the more so the less is left (I. Waudby-Smith and A. Ramdas, "Confidence sequences for
 * sampling without replacement", NeurIPS 2020).
 */
function cannotEndAhead(pairs: ScorePairs, alpha: number, most: number): boolean {
  if (alpha === 0) return false;
  const bet = testMartingale(stakes);
  let gap = 0;
  return differencesOf(pairs).some((difference, index) => {
    const left = pairs.drawnFrom?.[index] ?? Infinity;
    const needed = gap / left;
    gap -= difference;
    if (left === 0) return false;
    if (needed >= most) return true;
    bet.add(Math.max(-1, (needed - difference) / (most - needed)));
    return bet.wealth >= 1 / alpha;
  });
}

function hasLoss({ parent, child }: ScorePairs): boolean {
  return child.some((score, index) => score < (parent[index] ?? 0) - rounding);
}

/** What a weighted difference of two scores is at most. */
function maxDifference({ weights }: ScorePairs, perfectScore: number): number {
  return Math.max(1, ...(weights ?? [])) * perfectScore;
}

/** From cautious to all of it: small gains take small bets, and large ones need no more. */
const stakes = [0.25, 0.5, 1] as const;

/**
 * All of a small val. Of a larger one, `size` examples in two strata: those on which the seed fell
 * short, of which it takes as many as leave `others`, and the rest. A mean weighted by what each
 * example stands for estimates the mean over all of val (stratified sampling).
 */
export function drawPanel(
  seed: Selection["scores"],
  { size, others, perfectScore }: PanelOptions,
  random: RandomSource,
): Panel {
  const val = Object.keys(seed);
  if (val.length <= size || perfectScore === null) return { exampleIds: val };
  const isShort = (id: string): boolean => (seed[id] ?? perfectScore) < perfectScore;
  const short = val.filter(isShort);
  const rest = val.filter((id) => !isShort(id));
  const ofRest = Math.min(rest.length, Math.max(others, size - short.length));
  const strata = [
    { all: short, drawn: random.shuffle(short).slice(0, size - ofRest) },
    { all: rest, drawn: random.shuffle(rest).slice(0, ofRest) },
  ];
  const weights = new Map(
    strata.flatMap(({ all, drawn }) => drawn.map((id) => [id, all.length / drawn.length])),
  );
  return { exampleIds: val.filter((id) => weights.has(id)), weights };
}

interface PanelOptions {
  /** Maximum number of examples. */
  readonly size: number;
  /** Minimum number, as far as there are so many, of those on which the seed did not fall short. */
  readonly others: number;
  /** `null`: which fell short is unknown, so all of val is taken. */
  readonly perfectScore: number | null;
}
