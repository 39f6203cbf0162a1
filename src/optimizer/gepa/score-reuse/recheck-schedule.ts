import type { RandomSource } from "../../../internal/index.ts";

/**
 * Chooses which reused scores to run again: the first, and then each with the same probability,
 * whatever its example. Examples recur in the same order, so a fixed stride would never check some
 * of them.
 */
export interface RecheckSchedule {
  /** Counts one reuse. */
  isDue(): boolean;
  /** Whether one in 16 is due from now on instead of one in 64. */
  lookClosely(closely: boolean): void;
}

const usual = 1 / 64;
const close = 1 / 16;

export function recheckSchedule(random: (number: number) => RandomSource): RecheckSchedule {
  let chance = usual;
  let drawn = 0;
  let left = 0;
  // Draws the number of reuses before the next re-run, each being due with the same probability.
  const draw = (): void => {
    left = Math.floor(Math.log1p(-random(drawn++).random()) / Math.log1p(-chance));
  };
  return {
    isDue: () => {
      if (left-- > 0) return false;
      draw();
      return true;
    },
    lookClosely: (closely) => {
      const before = chance;
      chance = closely ? close : usual;
      if (chance !== before) draw();
    },
  };
}
