import { checkHoldsRun, openBothFiles } from "./both-files.ts";
import { runLock } from "./run-lock.ts";
import { withoutEnd } from "./without-end.ts";

/**
 * Takes the end off a run that something outside ended, so that whoever resumes it goes on where it
 * ended; a run that ended otherwise, or has not ended, stays as it is. It does not know which run
 * is to be resumed: `reopen` of `optimize()` does the same once that is sure to be this one.
 *
 * @returns whether the run is open again
 * @throws EspalierError `file-missing`, `run-locked`, `file-malformed`
 */
export function reopenRun(folder: string): boolean {
  checkHoldsRun(folder);
  using _lock = runLock(folder);
  using files = openBothFiles(folder);
  return withoutEnd(folder, files) !== null;
}
