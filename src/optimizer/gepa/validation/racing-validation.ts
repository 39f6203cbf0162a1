import { checkAbove, checkCount } from "../strategy/check-range.ts";
import type { ValidationPolicy } from "../strategy/strategy.ts";
import { rounding, sumOf } from "../acceptance/minibatch-acceptance.ts";

/**
 * Runs val in groups of `size`, in random order. A child is stopped when it is behind its parent
 * and could not do better even with perfect scores on the rest; or when its sum is `behind` perfect
 * scores behind, even though it might still win (not if the perfect score is 0 or less). Stopping
 * earlier, at the first sign of weakness, costs more good candidates than it saves runs. Without a
 * perfect score, or if the objective is not a mean of scores, no child is stopped.
 */
export function racingValidation({
  size = 16,
  behind = 1,
}: { readonly size?: number; readonly behind?: number } = {}): ValidationPolicy {
  checkCount("size", size);
  checkAbove("behind", behind, 0);
  return {
    name: "racing",
    settings: { size, behind },
    costs: ({ val }) => ({ rejected: Math.min(size, val) }),
    order: ({ random }, exampleIds, place) => {
      if (exampleIds.length <= size) return [exampleIds];
      const shuffled = random("validation", place).shuffle(exampleIds);
      return Array.from({ length: Math.ceil(shuffled.length / size) }, (_, group) =>
        shuffled.slice(group * size, (group + 1) * size),
      );
    },
    stop: ({ parent, child }, parentLeft, perfectScore) => {
      const gap = sumOf(parent) - sumOf(child);
      const most = perfectScore > 0 ? behind * perfectScore : Infinity;
      if (gap >= most) return `${Number(gap.toFixed(4))} behind its parent on part of val.`;
      const mostToCome = parentLeft.reduce((sum, score) => sum + perfectScore - score, 0);
      // A child that is level may tie on all of val, which `neutralByTraining` can accept.
      if (mostToCome > gap || gap <= rounding) return null;
      return "Even if perfect on the rest of val, no better than its parent.";
    },
  };
}
