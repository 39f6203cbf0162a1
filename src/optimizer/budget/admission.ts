import type { Cap } from "./budget-stop.ts";
import { budgetStop } from "./budget-stop.ts";

/**
 * Lets work begin only when its worst case fits under a cap, beside what is spent and what work in
 * flight may still spend: the cap is never exceeded. Near it, work waits for other work to end.
 */
export interface Admission {
  readonly spent: number;
  /** Rejects with `budget-exhausted` when it does not fit and nothing in flight could make room. */
  admit(worst: number): Promise<void>;
  /** Ends what was admitted. */
  settle(worst: number, actual: number): void;
  /** Replaces what was spent. */
  reset(spent: number): void;
}

export function admission(cap: Cap, limit: number = Infinity, start = 0): Admission {
  let spent = start;
  let reserved = 0;
  let inFlight = 0;
  let ended = Promise.withResolvers<void>();
  return {
    get spent() {
      return spent;
    },
    admit: async (worst) => {
      while (spent + reserved + worst > limit) {
        if (inFlight === 0) throw budgetStop(cap, limit, spent);
        await ended.promise;
      }
      inFlight++;
      reserved += worst;
    },
    settle: (worst, actual) => {
      inFlight--;
      // A sum of fractions leaves a remainder; none is left when nothing is in flight.
      reserved = inFlight === 0 ? 0 : reserved - worst;
      spent += actual;
      ended.resolve();
      ended = Promise.withResolvers();
    },
    reset: (value) => {
      spent = value;
    },
  };
}
