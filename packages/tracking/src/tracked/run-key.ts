import { EspalierError } from "../../../../src/errors/index.ts";
import { runFolderFiles } from "../../../../src/optimizer/files.ts";
import { drawnName } from "../../../../src/storage/index.ts";
import { fileLock } from "../../../../src/storage/index.ts";

/**
 * The run's name on tracking servers, drawn once and kept in its folder.
 *
 * @throws EspalierError `file-malformed`
 */
export function runKey(folder: string): Promise<string> {
  const { tracking } = runFolderFiles(folder);
  return drawnName(tracking, { format: "espalier-tracking/1", whose: "on tracking servers" });
}

/**
 * Held by the process that sends a run: two at a time would make everything twice.
 *
 * @throws EspalierError `run-locked`
 */
export function trackingLock(folder: string): Disposable {
  return fileLock(
    runFolderFiles(folder).trackingLock,
    (why, cause) =>
      new EspalierError({
        code: "run-locked",
        problem: "Another process is sending the run to a tracking server",
        where: folder,
        expected: "one process at a time",
        got: why.kind === "held" ? why.holder : why.problem,
        fix: "Wait for it, then run this command to send anything it missed.",
        cause,
      }),
  );
}
