import type { Deadline } from "../budget/index.ts";
import type { Observed, OptimizerRun } from "../contract/optimizer.ts";
import type { Journal, WorkLog } from "../run-folder/index.ts";

/** What a run's files already hold, and what a resumed run needs to repeat the same course. */
export interface Replay {
  /** Whether recorded events still follow. */
  readonly isReplaying: boolean;
  /**
   * Answers that depend on more than the seed, by the number of the question: a resumed run gets
   * the recorded ones.
   */
  readonly observe: OptimizerRun["observe"];
  /** Begins a step; returns the recorded end if the recorded run ended before it. */
  beginStep(): { readonly step: number; readonly end: { readonly detail?: string } | null };
  noteStanding(step: number): void;
  /** Number of the last step that stands, counted from 1. */
  readonly lastStanding: number;
  /** Records the run's wall time, so a kill loses little of it. */
  noteElapsed(): void;
  /** The same, at most once per second. */
  noteElapsedSometimes(): void;
}

export function replay(
  journal: Journal,
  log: WorkLog,
  { deadline, now }: { readonly deadline: Deadline; readonly now: () => Observed },
): Replay {
  let steps = 0;
  let lastStanding = 0;
  let question = 0;
  let notedMs = log.elapsedMs;
  const noteAt = (ms: number): void => {
    notedMs = ms;
    log.addElapsed(ms);
  };
  return {
    get isReplaying() {
      return journal.next() !== undefined;
    },
    observe: (look) => {
      const number = ++question;
      const recorded = log.observed(number) as ReturnType<typeof look> | undefined;
      if (recorded !== undefined) return recorded;
      const answer = look(now());
      log.addObserved(number, answer);
      return answer;
    },
    beginStep: () => {
      const step = ++steps;
      const next = journal.next();
      // Several steps may stand between two events: a following end does not show which of them
      // stand.
      const isEnd = next?.kind === "run-end" && step > log.lastStanding;
      return { step, end: isEnd ? next : null };
    },
    noteStanding: (step) => {
      lastStanding = step;
    },
    get lastStanding() {
      return lastStanding;
    },
    noteElapsed: () => noteAt(deadline.spentMs()),
    noteElapsedSometimes: () => {
      const ms = deadline.spentMs();
      if (ms - notedMs >= 1000) noteAt(ms);
    },
  };
}
