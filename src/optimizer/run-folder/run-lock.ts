import { EspalierError } from "../../errors/index.ts";
import { fileLock } from "../../storage/index.ts";
import { runFolderFiles } from "./run-folder.ts";

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
              fix: "Use a folder on a local disk; if `run.lock` is broken, remove it while no process uses the run.",
            }),
        cause,
      }),
  );
}
