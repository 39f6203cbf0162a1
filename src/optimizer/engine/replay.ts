import { existsSync } from "node:fs";
import type { Json } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { canonicalJson, coalesced, excerpt } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { OpenJournal, WorkLog } from "../run-folder/index.ts";
import { runFolderFiles, stopFileDetail, workLog } from "../run-folder/index.ts";

export type Replay = ReturnType<typeof replay>;

/**
 * What a run's journal already holds, and what a resumed run needs to repeat the same course.
 *
 * Decisions are numbered events that hold nothing that depends on timing, so two runs with the same
 * seed have the same ones, byte for byte, even across kills and faults.
 *
 * @param runFolder absent: the journal is in memory
 */
export function replay({ file, decisions: recorded }: OpenJournal, runFolder?: string) {
  const paths = runFolderFiles(runFolder ?? "");
  const log = workLog(file);
  let [sequence, steps, questions, asked] = [0, 0, 0, 0];
  let cutShort: string | null = null;
  let notedMs = log.elapsedMs;
  const isReplaying = (): boolean => recorded[sequence] !== undefined;
  // So that nothing follows its end, and a run that is only shown again stays as it is.
  let isOver = recorded.at(-1)?.kind === "run-end";
  const noteElapsed = (ms: number): void => {
    if (isOver) return;
    notedMs = ms;
    log.addSoon({ kind: "elapsed", ms });
  };
  const saving = coalesced(() => file.sync());
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
     * now would be another one.
     */
    checkCaughtUp: (): void => {
      if (isReplaying()) throw otherCall(paths.journal);
    },
    /**
     * Answers that depend on more than the seed, by the number of the question: a resumed run gets
     * the recorded ones.
     */
    observe: <TAnswer extends Json>(look: () => TAnswer): TAnswer => {
      const number = ++questions;
      const before = log.observed.get(number) as TAnswer | undefined;
      if (before !== undefined) return before;
      const answer = look();
      log.add({ kind: "observed", question: number, answer });
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
      log.add({ kind: "stopped", asked, reason: stopFileDetail });
      return stopFileDetail;
    },
    /** Begins a step; `cutShort` names the cap that cut it, or one before it, short. */
    beginStep: (): { readonly step: number; readonly cutShort: string | null } => {
      const step = ++steps;
      cutShort = log.cutShort.get(step) ?? cutShort;
      return { step, cutShort };
    },
    /**
     * Notes that a cap on calls, tokens, money or time cut a step short. No later step begins: what
     * the cap still allows is less than one call, and depends on timing.
     */
    noteCutShort: (step: number, detail: string): void => {
      cutShort = detail;
      log.add({ kind: "cut-short", step, detail });
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
      isOver ||= event.kind === "run-end";
      if (before === undefined) file.appendSoon(line);
      else if (canonicalJson(before) !== canonicalJson(line)) {
        throw mismatch(paths.journal, line, before);
      }
    },
    /** Writes what is pending. */
    flush: (): void => file.flush(),
    /** Starts to make everything so far survive a power loss, unless it already did. */
    save: (): void => {
      if (!isReplaying()) saving.request();
    },
    /** Resolves once everything that was to be saved is on disk. */
    saved: (): Promise<void> => saving.settled(),
  };
}

function otherCall(path: string): EspalierError {
  return new EspalierError({
    code: "journal-mismatch",
    problem: "The resumed run makes a call that the recorded one did not make",
    where: path,
    expected: "a recorded reply to every call behind a recorded decision",
    got: "a call without a reply",
    fix: "No LM was called. The program's code, its data or something it calls has changed, or the journal was edited: restore it, or start a new run.",
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
