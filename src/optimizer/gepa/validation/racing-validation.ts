import { checkAbove, checkCount } from "../strategy/check-range.ts";
import type { ValidationPolicy } from "../strategy/strategy.ts";
import { rounding, sumOf } from "../acceptance/minibatch-acceptance.ts";

/**
 * Val in groups of `size`, in random order, until the child is behind its parent and could not be
 * better even if it were perfect on the rest; or until its sum is `behind` perfect scores behind,
 * from where it might still have won (not where the perfect score is 0 or less). Stopping earlier,
 * at the first sign of weakness, costs more good candidates than it saves runs. Without a perfect
 * score, or where the objective is no mean of scores, no child is stopped.
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
      // One that is level may turn out as good on all of val, which `neutralByTraining` can accept.
      if (mostToCome > gap || gap <= rounding) return null;
      return "Even if perfect on the rest of val, no better than its parent.";
    },
  };
}
