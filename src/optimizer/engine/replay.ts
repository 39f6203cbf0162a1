import type { Json } from "../../contract/index.ts";
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
  /** The same for an answer that takes time. */
  readonly observeLater: <TAnswer extends Json>(look: () => Promise<TAnswer>) => Promise<TAnswer>;
  readonly stopAsked: () => string | null;
  /** Begins a step; `cutShort` says which cap cut it, or one before it, short. */
  beginStep(): { readonly step: number; readonly cutShort: CutShort | null };
  /**
   * Notes that a cap on calls, tokens, money or time cut a step short. No later step begins: what
   * the cap still allows is less than one call, and depends on timing.
   */
  noteCutShort(step: number, detail: string): void;
  /** Records the run's wall time, so a kill loses little of it. */
  noteElapsed(): void;
  /** The same, at most once per second. */
  noteElapsedSometimes(): void;
}

interface CutShort {
  readonly detail: string;
}

/** Names no path: a run's folder may move. */
export const stopFileReason = "stop-file: `stop` exists in the run's folder";

export function replay(
  journal: Journal,
  log: WorkLog,
  {
    deadline,
    now,
    whyStop,
  }: {
    readonly deadline: Deadline;
    readonly now: () => Observed;
    /** Why the search is to end; `null`: go on. */
    readonly whyStop: () => string | null;
  },
): Replay {
  let steps = 0;
  let question = 0;
  let asked = 0;
  let cutShort: CutShort | null = null;
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
    observeLater: async <TAnswer extends Json>(look: () => Promise<TAnswer>) => {
      const number = ++question;
      const recorded = log.observed(number) as TAnswer | undefined;
      if (recorded !== undefined) return recorded;
      const answer = await look();
      log.addObserved(number, answer);
      return answer;
    },
    stopAsked: () => {
      asked++;
      const { stopped } = log;
      if (stopped !== undefined) return asked >= stopped.asked ? stopped.reason : null;
      // What is recorded went on.
      const reason = journal.next() === undefined ? whyStop() : null;
      if (reason !== null) log.addStopped({ asked, reason });
      return reason;
    },
    beginStep: () => {
      const step = ++steps;
      const detail = log.cutShort(step);
      if (detail !== undefined) cutShort = { detail };
      return { step, cutShort };
    },
    noteCutShort: (step, detail) => {
      cutShort = { detail };
      log.addCutShort(step, detail);
    },
    noteElapsed: () => noteAt(deadline.spentMs()),
    noteElapsedSometimes: () => {
      const ms = deadline.spentMs();
      if (ms - notedMs >= 1000) noteAt(ms);
    },
  };
}
