import type { RandomSource } from "../../../internal/index.ts";

/**
 * Which reused scores are run again: the first, and then each with the same chance, whatever
 * example it is of. Examples come in one order again and again; by a fixed stride some would never
 * be run.
 */
export interface RecheckSchedule {
  /** Counts one reuse. */
  isDue(): boolean;
  /** Whether from now on one in 16 is due, in place of one in 64. */
  lookClosely(closely: boolean): void;
}

const usual = 1 / 64;
const close = 1 / 16;

export function recheckSchedule(random: (number: number) => RandomSource): RecheckSchedule {
  let chance = usual;
  let drawn = 0;
  let left = 0;
  // How many fail before one that each has the chance to be.
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
