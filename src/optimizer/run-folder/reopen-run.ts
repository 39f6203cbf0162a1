import { checkHoldsRun, openBothFiles } from "./both-files.ts";
import { runLock } from "./run-lock.ts";
import { withoutEnd } from "./without-end.ts";

/**
 * Removes the end of a run that an outside event ended, so that resuming it continues where it
 * ended. A run that ended otherwise, or has not ended, is left unchanged. This function does not
 * know which run is to be resumed: `reopen` of `optimize()` does the same after checking that it is
 * this one.
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
