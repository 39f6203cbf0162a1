import type { Budget, CallGate, Deadline } from "../budget/index.ts";
import { budgetStop, capOf } from "../budget/index.ts";
import type { BudgetEnd } from "./budget-end.ts";
import type { Journal, WorkLog } from "../run-folder/index.ts";
import type { StepTally } from "./step-tally.ts";

export interface StepBounds {
  /** Bounds a step in time, and refuses it where the recorded run refused it or cut it short. */
  inStep<TResult>(work: (signal: AbortSignal) => Promise<TResult>): Promise<TResult>;
  /** Number of the last step that stands, counted from 1. */
  readonly lastStanding: number;
}

export function stepBounds({
  budget,
  journal,
  log,
  gate,
  tally,
  deadline,
  ending,
  signal: caller,
  pause,
}: {
  readonly budget: Budget;
  readonly journal: Journal;
  readonly log: WorkLog;
  readonly gate: CallGate;
  readonly tally: StepTally;
  readonly deadline: Deadline;
  readonly ending: BudgetEnd;
  readonly signal: AbortSignal | undefined;
  /** Something to wait for before a step. */
  readonly pause: () => Promise<void> | undefined;
}): StepBounds {
  let begun = 0;
  let lastStanding = 0;
  return {
    get lastStanding() {
      return lastStanding;
    },
    inStep: async (work) => {
      const paused = pause();
      if (paused !== undefined) await paused;
      // What answers at once never looks at the signal.
      caller?.throwIfAborted();
      const step = ++begun;
      const next = journal.next();
      // Several steps may stand between two events: that the end comes next does not tell which do.
      if (next?.kind === "run-end" && step > log.lastStanding) {
        ending.noteRecorded(next.detail);
        throw budgetStop("wallTimeMs", 0, 0);
      }
      gate.start();
      using bound = deadline.bound(caller, next !== undefined);
      try {
        const result = await work(bound.signal);
        lastStanding = step;
        return result;
      } catch (error) {
        tally.cut();
        const isLate = bound.isOver() && caller?.aborted !== true;
        const thrown = isLate
          ? budgetStop("wallTimeMs", budget.wallTimeMs ?? 0, deadline.spentMs())
          : error;
        const cap = capOf(thrown);
        if (cap !== undefined) ending.noteCut(cap);
        throw thrown;
      }
    },
  };
}
