import { existsSync } from "node:fs";
import type { Json } from "../../contract/index.ts";
import { coalesced } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { RunFiles, WorkLog } from "../run-folder/index.ts";
import { journal, runFolderFiles, stopFileDetail, workLog } from "../run-folder/index.ts";

/** What a run's files already hold, and what a resumed run needs to repeat the same course. */
export interface Replay {
  /** Calls and rollouts. */
  readonly log: WorkLog;
  /** Whether recorded events still follow. */
  readonly isReplaying: boolean;
  /** Throws `journal-mismatch` while they do: a call now would be one that was lost. */
  checkCaughtUp(): void;
  /**
   * Answers that depend on more than the seed, by the number of the question: a resumed run gets
   * the recorded ones.
   */
  observe<TAnswer extends Json>(look: () => TAnswer): TAnswer;
  /**
   * Why the search is to end: the file `stop` is there; `null`: go on. Only the answer that ends it
   * is recorded.
   */
  stopAsked(): string | null;
  /** Begins a step; `cutShort` names the cap that cut it, or one before it, short. */
  beginStep(): { readonly step: number; readonly cutShort: string | null };
  /**
   * Notes that a cap on calls, tokens, money or time cut a step short. No later step begins: what
   * the cap still allows is less than one call, and depends on timing.
   */
  noteCutShort(step: number, detail: string): void;
  /** Records the run's wall time, so a kill loses little of it. */
  noteElapsed(ms: number): void;
  /** The same, at most once per second. */
  noteElapsedSometimes(ms: number): void;
  /** Adds an event, or throws `journal-mismatch` where another one is recorded in its place. */
  add(event: OptimizerEvent): void;
  /** Writes pending events, after the work they depend on. */
  flush(): void;
  /** Starts to make everything so far survive a power loss, unless it already did. */
  save(): void;
  /** Resolves once everything that was to be saved is on disk. */
  saved(): Promise<void>;
}

/** @param runFolder absent: the files are in memory */
export function replay(files: RunFiles, runFolder?: string): Replay {
  const paths = runFolderFiles(runFolder ?? "");
  const decisions = journal(files.journal, paths.journal);
  const log = workLog(files.work);
  let [steps, questions, asked] = [0, 0, 0];
  let cutShort: string | null = null;
  let notedMs = log.elapsedMs;
  const isReplaying = (): boolean => decisions.next() !== undefined;
  const noteElapsed = (ms: number): void => {
    notedMs = ms;
    log.addElapsed(ms);
  };
  // In parallel, so a disk that commits both together causes only one wait.
  const saving = coalesced(async () => {
    await Promise.all([log.sync(), decisions.sync()]);
  });
  return {
    log,
    get isReplaying() {
      return isReplaying();
    },
    checkCaughtUp: () => decisions.checkCaughtUp(),
    observe: (look) => {
      const number = ++questions;
      const recorded = log.observed(number) as ReturnType<typeof look> | undefined;
      if (recorded !== undefined) return recorded;
      const answer = look();
      log.addObserved(number, answer);
      return answer;
    },
    stopAsked: () => {
      asked++;
      const { stopped } = log;
      if (stopped !== undefined) return asked >= stopped.asked ? stopped.reason : null;
      // What is recorded went on.
      if (isReplaying()) return null;
      if (runFolder === undefined || !existsSync(paths.stop)) return null;
      log.addStopped({ asked, reason: stopFileDetail });
      return stopFileDetail;
    },
    beginStep: () => {
      const step = ++steps;
      cutShort = log.cutShort(step) ?? cutShort;
      return { step, cutShort };
    },
    noteCutShort: (step, detail) => {
      cutShort = detail;
      log.addCutShort(step, detail);
    },
    noteElapsed,
    noteElapsedSometimes: (ms) => {
      if (ms - notedMs >= 1000) noteElapsed(ms);
    },
    add: (event) => decisions.add(event),
    flush: () => decisions.flush(),
    save: () => {
      if (!isReplaying()) saving.request();
    },
    saved: () => saving.settled(),
  };
}
