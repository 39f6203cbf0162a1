import { truncateSync } from "node:fs";
import { checkHoldsRun, openBothFiles } from "./both-files.ts";
import { runFolderFiles } from "./run-folder.ts";
import { runLock } from "./run-lock.ts";
import type { WorkLine } from "./line/work-line.ts";

/**
 * Lets another run begin in the folder of one that is given up, as with another budget. What was
 * decided is gone. Replies stay and are not requested again; what they cost, the calls
 * that reached tools, and the time they took, count as the new run's.
 *
 * @throws EspalierError `file-missing`, `run-locked`, `file-malformed`
 */
export function restartRun(folder: string): void {
  checkHoldsRun(folder);
  using _lock = runLock(folder);
  using files = openBothFiles(folder);
  // In this order, a kill in between leaves the old run, which repeats its decisions.
  truncateSync(runFolderFiles(folder).journal);
  files.work.append({ kind: "restart" } satisfies WorkLine);
}
