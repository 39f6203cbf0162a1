import type { MinibatchAcceptance, ScorePairs, Verdict } from "../strategy/strategy.ts";

/** The child must have the higher sum; what only rounding could explain is no improvement. */
export function strictImprovement(): MinibatchAcceptance {
  return {
    name: "strict-improvement",
    judge: (pairs) => verdictOf(pairs, gainOf(pairs) > rounding),
  };
}

/** The child's sum must not be lower. */
export function improvementOrEqual(): MinibatchAcceptance {
  return {
    name: "improvement-or-equal",
    judge: (pairs) => verdictOf(pairs, gainOf(pairs) >= -rounding),
  };
}

/**
 * Sum of the child's scores less the parent's; of the objective, as if each example had it, where
 * that is no mean.
 */
export function gainOf({ parent, child, values }: ScorePairs): number {
  if (values !== undefined) return (values.child - values.parent) * Math.max(1, child.length);
  return sumOf(child) - sumOf(parent);
}

export function sumOf(scores: readonly number[]): number {
  let sum = 0;
  for (const score of scores) sum += score;
  return sum;
}

/** Sums of scores that differ by less are equal. */
export const rounding = 1e-9;

function verdictOf({ parent, child }: ScorePairs, accepts: boolean): Verdict {
  if (accepts) return { accepts };
  const [after, before] = [sumOf(child), sumOf(parent)].map((sum) => Number(sum.toFixed(4)));
  return { accepts, reason: `Sum of ${after} on the minibatch, the parent's is ${before}.` };
}
