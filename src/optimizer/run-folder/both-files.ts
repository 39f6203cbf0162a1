import { EspalierError } from "../../errors/index.ts";
import { checkEvents } from "./check-events.ts";
import type { JsonlFile } from "../../storage/index.ts";
import { openJsonlFile } from "../../storage/index.ts";
import { runAdvice, runFolderFiles, runIn } from "./run-folder.ts";

/** The file of decisions and the file of work done. */
export interface BothFiles {
  readonly journal: JsonlFile;
  readonly work: JsonlFile;
}

/** Opens the files of a run and creates missing ones. The caller holds the folder's lock. */
export function openBothFiles(folder: string): BothFiles & Disposable {
  const paths = runFolderFiles(folder);
  const work = openJsonlFile(paths.work, { isChecked: true, advice: runAdvice });
  try {
    // A decision must never be on file without the work before it.
    const journal = openJsonlFile(paths.journal, { after: work, advice: runAdvice });
    try {
      checkEvents(journal.path, journal.existing);
    } catch (error) {
      journal.close();
      throw error;
    }
    return {
      journal,
      work,
      [Symbol.dispose]: () => {
        try {
          journal.close();
        } finally {
          work.close();
        }
      },
    };
  } catch (error) {
    work.close();
    throw error;
  }
}

/**
 * Throws for a folder without a run, before a lock is created in it. A run that has lost its
 * journal still counts: its decisions can be repeated from its recorded work.
 *
 * @throws EspalierError `file-missing`
 */
export function checkHoldsRun(folder: string): void {
  const { hasJournal, hasWork } = runIn(folder);
  if (hasWork) return;
  if (hasJournal) throw workMissing(folder, "no such file");
  throw new EspalierError({
    code: "file-missing",
    problem: "There is no run to resume",
    where: folder,
    expected: "a folder with `journal.jsonl` and `work.jsonl`",
    fix: "Start the run without `resume`.",
  });
}

/**
 * Without this file, every call behind the journal's decisions would be made and paid for again.
 */
export function workMissing(folder: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem:
      "The run's replies are missing: resuming it would request and pay for all of them again",
    where: runFolderFiles(folder).work,
    expected: "the file written beside `journal.jsonl`",
    got,
    fix: "Nothing was requested and the journal is unchanged: restore the file, or start a new run in another folder.",
  });
}
