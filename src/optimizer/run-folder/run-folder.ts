import { existsSync } from "node:fs";
import { join } from "node:path";

/** Every file that a run's folder can hold, by path. Nothing else spells their names. */
export interface RunFolder {
  /** What was decided, in logical order. */
  readonly journal: string;
  /** What was done, in the order it was done. */
  readonly work: string;
  /** Held by the process that runs it. */
  readonly lock: string;
  /** The command that began the run, for `--resume`. */
  readonly command: string;
  /** Calls made to report on the run, in the format of `work`. */
  readonly reportReplies: string;
  /** What was reported on candidates. */
  readonly reports: string;
  /** The best candidate, compiled. */
  readonly artifact: string;
  /** One candidate that a choice named, compiled. */
  readonly artifactOf: (candidate: number) => string;
}

export function runFolderFiles(folder: string): RunFolder {
  return {
    journal: join(folder, "journal.jsonl"),
    work: join(folder, "work.jsonl"),
    lock: join(folder, "run.lock"),
    command: join(folder, "command.json"),
    reportReplies: join(folder, "report.jsonl"),
    reports: join(folder, "reports.json"),
    artifact: join(folder, "artifact.json"),
    artifactOf: (candidate) => join(folder, `artifact-${candidate}.json`),
  };
}

/**
 * Which of the files that make a run are there: with its replies alone, it decides again what it
 * decided.
 */
export function runIn(folder: string): { readonly hasJournal: boolean; readonly hasWork: boolean } {
  const { journal, work } = runFolderFiles(folder);
  return { hasJournal: existsSync(journal), hasWork: existsSync(work) };
}
