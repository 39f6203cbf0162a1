import { checkAbove, checkCount } from "../strategy/check-range.ts";
import type { ValidationPolicy } from "../strategy/strategy.ts";
import { sumOf } from "../acceptance/minibatch-acceptance.ts";

/**
 * Val in groups of `size`, in random order, until the child can no longer be better than its parent
 * even if it were perfect on the rest, or is behind by `behind` in sum. Stopping earlier, at the first
 * sign of weakness, costs more good candidates than it saves runs.
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
    order: ({ random }, exampleIds, place) => {
      if (exampleIds.length <= size) return [exampleIds];
      const shuffled = random("validation", place).shuffle(exampleIds);
      return Array.from({ length: Math.ceil(shuffled.length / size) }, (_, group) =>
        shuffled.slice(group * size, (group + 1) * size),
      );
    },
    stop: ({ parent, child }, parentLeft, perfectScore) => {
      const gap = sumOf(parent) - sumOf(child);
      if (gap >= behind) return `${Number(gap.toFixed(4))} behind its parent on part of val.`;
      const mostToCome = parentLeft.reduce((sum, score) => sum + perfectScore - score, 0);
      if (mostToCome > gap) return null;
      return "Even if perfect on the rest of val, no better than its parent.";
    },
  };
}
