import type { RandomSource } from "../../../internal/index.ts";

/**
 * Which inherited scores are run again: the first, and then each with the same chance, whatever example it
 * is of. Examples come in one order again and again; by a fixed stride some would never be run.
 */
export interface AuditSchedule {
  /** Counts one inheritance. */
  isDue(): boolean;
  /** From now on the chance is one in `every`. */
  every(every: number): void;
}

/** @default 64 */
export function auditSchedule(random: (number: number) => RandomSource): AuditSchedule {
  let chance = 1 / 64;
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
    every: (every) => {
      if (chance === 1 / every) return;
      chance = 1 / every;
      draw();
    },
  };
}
