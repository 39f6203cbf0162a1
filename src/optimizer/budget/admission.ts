import type { Cap } from "./budget-stop.ts";
import { budgetStop } from "./budget-stop.ts";

/**
 * Admits work only when its worst case fits under a cap, on top of what is spent and what work in
 * flight may still spend, so the cap is never exceeded. Near the cap, work waits for other work to
 * end.
 */
export interface Admission {
  readonly spent: number;
  /**
   * Rejects with `budget-exhausted` when the work does not fit and nothing in flight could make
   * room.
   */
  admit(worst: number): Promise<void>;
  /**
   * Admits work that may take less than what it asks for, and returns how much: less only where
   * nothing in flight could make room. `undefined` without a limit: there is nothing to settle.
   */
  admitUpTo(wanted: number): Promise<number | undefined>;
  /** Counts what was spent elsewhere, in room that is reserved for it. */
  add(actual: number): void;
  /** Ends admitted work. */
  settle(worst: number, actual: number): void;
  /** Replaces the amount spent. */
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
    admitUpTo: async (wanted) => {
      if (limit === Infinity) return undefined;
      while (spent + reserved + wanted > limit && inFlight > 0) await ended.promise;
      const granted = Math.min(wanted, limit - spent);
      if (granted <= 0) throw budgetStop(cap, limit, spent);
      inFlight++;
      reserved += granted;
      return granted;
    },
    add: (actual) => {
      spent += actual;
    },
    settle: (worst, actual) => {
      inFlight--;
      // Summing fractions leaves a remainder; with nothing in flight the sum is exactly 0.
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
