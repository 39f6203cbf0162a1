import { existsSync } from "node:fs";
import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { LinesAdvice } from "../../storage/index.ts";
import { fileLock } from "../../storage/index.ts";

/** Paths of every file that a run's folder can hold. These names are defined only here. */
export interface RunFolder {
  /** What was decided and what was done; see `openJournal`. */
  readonly journal: string;
  /** Held by the process that runs it. */
  readonly lock: string;
  /** Made by whoever asks the run to end: it then ends between two steps, with a result. */
  readonly stop: string;
  /** The command that started the run, for `--resume`. */
  readonly command: string;
  /** Calls made to report on the run, as lines of work like the journal's. */
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

/** The detail of the end of a run that its file `stop` ended; no path, since a folder may move. */
export const stopFileDetail = "stop-file: `stop` exists in the run's folder";

/** For error messages about the files of a run. */
export const runAdvice: LinesAdvice = {
  startOver: "start a new run in another folder",
  next: "resume the run",
};

/** Whether a run has begun in the folder. */
export function holdsRun(folder: string): boolean {
  return existsSync(runFolderFiles(folder).journal);
}

/**
 * Locks a run's folder for this process until disposed; creates the folder if it is missing.
 *
 * @throws EspalierError `run-locked`
 */
export function runLock(folder: string): Disposable {
  return fileLock(
    runFolderFiles(folder).lock,
    (why, cause) =>
      new EspalierError({
        code: "run-locked",
        where: folder,
        ...(why.kind === "held"
          ? {
              problem: "Another process is writing to the run's folder",
              expected: "one process at a time",
              got: `${why.holder}, which is still running`,
              fix: "Wait for it or stop it, then resume the run; or choose another folder.",
            }
          : {
              problem: "The run's folder cannot be locked",
              expected: "a folder where `run.lock` can be written and locked",
              got: why.problem,
              fix: "Use a folder on a local disk; if `run.lock` is broken, make sure that no process is using the run, then remove it.",
            }),
        cause,
      }),
  );
}
