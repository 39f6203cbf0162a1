import { sum } from "../../../statistics/index.ts";
import type { MinibatchAcceptance, ScorePairs, Verdict } from "../strategy/strategy.ts";

/** The child's sum must be higher; a difference within rounding error is not an improvement. */
export function strictImprovement(): MinibatchAcceptance {
  return {
    name: "strict-improvement",
    judge: (pairs) => verdictOf(pairs, gainOf(pairs) > rounding),
  };
}

/**
 * The sum of the child's scores minus the parent's. If the objective is not a mean, it counts as
 * every example's score.
 */
export function gainOf(pairs: ScorePairs): number {
  const { parent, child, values, weights } = pairs;
  if (values !== undefined) return (values.child - values.parent) * Math.max(1, child.length);
  // Not the sum of differences, whose last digits are others.
  if (weights === undefined) return sum(child) - sum(parent);
  return sum(differencesOf(pairs));
}

/** The child's score minus the parent's on each example, times the example's weight. */
export function differencesOf({ parent, child, weights }: ScorePairs): readonly number[] {
  return child.map((score, at) => (weights?.[at] ?? 1) * (score - (parent[at] ?? 0)));
}

/** Sums of scores that differ by less count as equal. */
export const rounding = 1e-9;

function verdictOf({ parent, child }: ScorePairs, accepts: boolean): Verdict {
  if (accepts) return { accepts };
  const [after, before] = [sum(child), sum(parent)].map((one) => Number(one.toFixed(4)));
  return { accepts, reason: `Sum of ${after} on the minibatch, the parent's is ${before}.` };
}
