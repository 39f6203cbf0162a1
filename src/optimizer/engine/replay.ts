import { existsSync } from "node:fs";
import type { Json } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { canonicalJson, coalesced, excerpt } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { RunFiles, WorkLog } from "../run-folder/index.ts";
import { runFolderFiles, stopFileDetail, workLog } from "../run-folder/index.ts";

export type Replay = ReturnType<typeof replay>;

/**
 * What a run's files already hold, and what a resumed run needs to repeat the same course.
 *
 * The journal holds the optimizer's decisions, as numbered events, and nothing that depends on
 * timing, so two runs with the same seed have the same journal, byte for byte, even across kills
 * and faults.
 *
 * @param runFolder absent: the files are in memory
 */
export function replay({ journal, work }: RunFiles, runFolder?: string) {
  const paths = runFolderFiles(runFolder ?? "");
  const recorded = journal.existing;
  const log = workLog(work);
  let [sequence, steps, questions, asked] = [0, 0, 0, 0];
  let cutShort: string | null = null;
  let notedMs = log.elapsedMs;
  const isReplaying = (): boolean => recorded[sequence] !== undefined;
  const noteElapsed = (ms: number): void => {
    notedMs = ms;
    log.addElapsed(ms);
  };
  // In parallel, so a disk that commits both together causes only one wait.
  const saving = coalesced(async () => {
    await Promise.all([log.sync(), journal.sync()]);
  });
  return {
    /** Calls and rollouts. */
    get log(): WorkLog {
      return log;
    },
    /** Whether recorded events still follow. */
    get isReplaying(): boolean {
      return isReplaying();
    },
    /**
     * Throws `journal-mismatch` while they do: the work behind them was on file first, so a call
     * now would be one that was lost.
     */
    checkCaughtUp: (): void => {
      if (isReplaying()) throw repliesLost(paths.journal);
    },
    /**
     * Answers that depend on more than the seed, by the number of the question: a resumed run gets
     * the recorded ones.
     */
    observe: <TAnswer extends Json>(look: () => TAnswer): TAnswer => {
      const number = ++questions;
      const before = log.observed(number) as TAnswer | undefined;
      if (before !== undefined) return before;
      const answer = look();
      log.addObserved(number, answer);
      return answer;
    },
    /**
     * Why the search is to end: the file `stop` is there; `null`: go on. Only the answer that ends
     * it is recorded.
     */
    stopAsked: (): string | null => {
      asked++;
      const { stopped } = log;
      if (stopped !== undefined) return asked >= stopped.asked ? stopped.reason : null;
      // What is recorded went on.
      if (isReplaying() || runFolder === undefined || !existsSync(paths.stop)) return null;
      log.addStopped({ asked, reason: stopFileDetail });
      return stopFileDetail;
    },
    /** Begins a step; `cutShort` names the cap that cut it, or one before it, short. */
    beginStep: (): { readonly step: number; readonly cutShort: string | null } => {
      const step = ++steps;
      cutShort = log.cutShort(step) ?? cutShort;
      return { step, cutShort };
    },
    /**
     * Notes that a cap on calls, tokens, money or time cut a step short. No later step begins: what
     * the cap still allows is less than one call, and depends on timing.
     */
    noteCutShort: (step: number, detail: string): void => {
      cutShort = detail;
      log.addCutShort(step, detail);
    },
    /** Records the run's wall time, so a kill loses little of it. */
    noteElapsed: (ms: number): void => noteElapsed(ms),
    /** The same, at most once per second. */
    noteElapsedSometimes: (ms: number): void => {
      if (ms - notedMs >= 1000) noteElapsed(ms);
    },
    /** Adds an event, or throws `journal-mismatch` where another one is recorded in its place. */
    add: (event: OptimizerEvent): void => {
      const line = { sequence, ...event };
      const before = recorded[sequence];
      sequence++;
      if (before === undefined) journal.appendSoon(line);
      else if (canonicalJson(before) !== canonicalJson(line)) {
        throw mismatch(paths.journal, line, before);
      }
    },
    /** Writes pending events, after the work they depend on. */
    flush: (): void => journal.flush(),
    /** Starts to make everything so far survive a power loss, unless it already did. */
    save: (): void => {
      if (!isReplaying()) saving.request();
    },
    /** Resolves once everything that was to be saved is on disk. */
    saved: (): Promise<void> => saving.settled(),
  };
}

function repliesLost(path: string): EspalierError {
  return new EspalierError({
    code: "journal-mismatch",
    problem:
      "`work.jsonl` lacks replies behind recorded decisions: resuming would pay for them again",
    where: path,
    expected: "every reply behind a recorded decision",
    got: "a call without a reply",
    fix: "Nothing was requested: restore `work.jsonl`, or remove `journal.jsonl` and resume to repeat only the missing calls.",
  });
}

function mismatch(path: string, now: object, before: unknown): EspalierError {
  return new EspalierError({
    code: "journal-mismatch",
    problem: "The resumed run diverged from its journal",
    where: path,
    expected: excerpt(JSON.stringify(before), 400),
    got: excerpt(JSON.stringify(now), 400),
    fix: "The program's code, its data or something it calls has changed: start a new run.",
  });
}
