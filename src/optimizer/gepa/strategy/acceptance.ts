import type { RandomSource } from "../../../contract/index.ts";
import type {
  MinibatchAcceptance,
  ScorePairs,
  ValAcceptance,
  ProposalSelection,
} from "./strategy.ts";
import { sum, signFlipTest } from "../../../statistics/index.ts";

/** The child's sum must be higher; a difference within rounding error is not an improvement. */
export function strictImprovement(): MinibatchAcceptance {
  return {
    name: "strict-improvement",
    judge: (pairs) => {
      if (gainOf(pairs) > rounding) return { accepts: true };
      const [after, before] = [pairs.child, pairs.parent].map((one) => shown(sum(one)));
      const reason = `Sum of ${after} on the minibatch, the parent's is ${before}.`;
      return { accepts: false, reason };
    },
  };
}

/**
 * The sum of the child's scores minus the parent's. If the objective is not a mean, it counts as
 * every example's score.
 */
export function gainOf({ parent, child, values }: ScorePairs): number {
  if (values !== undefined) return (values.child - values.parent) * Math.max(1, child.length);
  return sum(child) - sum(parent);
}

/** Sums of scores that differ by less count as equal. */
export const rounding = 1e-9;

function shown(value: number): number {
  return Number(value.toFixed(4));
}

/**
 * The child must be better than its parent on val or, if no score changed there, on the training
 * example that it addresses: behaviour that val does not test may still matter elsewhere.
 */
export function neutralByTraining(): ValAcceptance {
  return {
    name: "neutral-by-training",
    judge: async (onVal, addressed) => {
      const gain = gainOf(onVal);
      if (gain > rounding) return { accepts: true };
      if (
        gain < -rounding ||
        onVal.parent.some((score, index) => (onVal.child[index] ?? 0) < score - rounding)
      ) {
        return { accepts: false, reason: gainText(onVal) };
      }
      const onTrain = await addressed();
      if (onTrain !== null && gainOf(onTrain) > rounding) {
        return {
          accepts: true,
          supersedes: true,
          reason:
            "As good as its parent on val, and better on the example of train that it is about.",
        };
      }
      return { accepts: false, reason: `${gainText(onVal)} Nor better on the example of train.` };
    },
  };
}

/** The gain of the objective on val, as a sentence. */
export function gainText(onVal: ScorePairs): string {
  const gain = shown(gainOf(onVal) / Math.max(1, onVal.parent.length));
  return gain === 0
    ? "No better than its parent on val."
    : `${Math.abs(gain)} ${gain < 0 ? "worse" : "better"} than its parent on val.`;
}

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
 * Share of sign flips of the differences whose sum is at least the observed one: exact
 * up to 12 differing pairs, of 4,096 random flips above.
 */
export function signFlipP({ parent, child }: ScorePairs, random: () => RandomSource): number {
  const differences = child
    .map((score, index) => score - (parent[index] ?? 0))
    .filter((difference) => difference !== 0);
  return signFlipTest({
    count: differences.length,
    statistic: (flipped) =>
      differences.reduce(
        (sum, difference, index) => sum + (flipped[index] === 1 ? -difference : difference),
        0,
      ),
    alternative: "greater",
    resamples: 2 ** 12,
    random,
    signsPerDraw: 1,
  });
}

/** Selects every proposal that passed. */
export function allPassed(): ProposalSelection {
  return { name: "all", select: (passed) => [...passed.keys()] };
}
