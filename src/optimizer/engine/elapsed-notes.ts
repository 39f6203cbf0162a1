import type { Deadline } from "../budget/index.ts";
import type { WorkLog } from "../run-folder/index.ts";

/** Notes the run's wall time, so that what a kill takes of it is little. */
export interface ElapsedNotes {
  note(): void;
  /** Unless that was done within the last second. */
  noteSometimes(): void;
}

export function elapsedNotes(log: WorkLog, deadline: Deadline): ElapsedNotes {
  let notedMs = log.elapsedMs;
  const noteAt = (ms: number): void => {
    notedMs = ms;
    log.addElapsed(ms);
  };
  return {
    note: () => noteAt(deadline.spentMs()),
    noteSometimes: () => {
      const ms = deadline.spentMs();
      if (ms - notedMs >= 1000) noteAt(ms);
    },
  };
}
