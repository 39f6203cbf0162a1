import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LinesAdvice } from "../../storage/index.ts";

/** Paths of every file that a run's folder can hold. These names are defined only here. */
export interface RunFolder {
  /** What was decided, in logical order. */
  readonly journal: string;
  /** What was done, in the order in which it was done. */
  readonly work: string;
  /** Held by the process that runs it. */
  readonly lock: string;
  /** Made by whoever asks the run to end: it then ends between two steps, with a result. */
  readonly stop: string;
  /** The command that started the run, for `--resume`. */
  readonly command: string;
  /** Calls made to report on the run, in the format of `work`. */
  readonly reportReplies: string;
  /** Reports on candidates. */
  readonly reports: string;
  /** The best candidate, compiled. */
  readonly artifact: string;
  /** The run's name on tracking servers. */
  readonly tracking: string;
  /** The run's name on Redis. */
  readonly queue: string;
  /** Held by the process that sends the run to a tracking server. */
  readonly trackingLock: string;
  /** What runs of its candidates did and when, where the run is tracked as it goes. */
  readonly traces: string;
  /** A chosen candidate, compiled. */
  readonly artifactOf: (candidate: number) => string;
}

export function runFolderFiles(folder: string): RunFolder {
  return {
    journal: join(folder, "journal.jsonl"),
    work: join(folder, "work.jsonl"),
    lock: join(folder, "run.lock"),
    stop: join(folder, "stop"),
    command: join(folder, "command.json"),
    reportReplies: join(folder, "report.jsonl"),
    reports: join(folder, "reports.json"),
    artifact: join(folder, "artifact.json"),
    tracking: join(folder, "tracking.json"),
    queue: join(folder, "queue.json"),
    trackingLock: join(folder, "tracking.lock"),
    traces: join(folder, "traces.jsonl"),
    artifactOf: (candidate) => join(folder, `artifact-${candidate}.json`),
  };
}

/** For error messages about the files of a run. */
export const runAdvice: LinesAdvice = {
  startOver: "start a new run in another folder",
  next: "resume the run",
};

/** Which of the run's two files exist: with its replies alone, a run can repeat its decisions. */
export function runIn(folder: string): { readonly hasJournal: boolean; readonly hasWork: boolean } {
  const { journal, work } = runFolderFiles(folder);
  return { hasJournal: existsSync(journal), hasWork: existsSync(work) };
}
