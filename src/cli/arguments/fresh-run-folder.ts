import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { runIn } from "../../optimizer/files.ts";

/** Where runs are kept that the command line names no folder for. */
export const runsFolder: string = join(".espalier", "runs");

/** A folder for a run that the command line names none for. */
export function freshRunFolder(name: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  return join(runsFolder, `${name}-${time}`);
}

/** Refuses a folder with a run before anything is read for another one. */
export function checkUnused(runFolder: string | undefined): void {
  if (runFolder === undefined) return;
  const { hasJournal, hasWork } = runIn(runFolder);
  if (!hasJournal && !hasWork) return;
  throw new EspalierError({
    code: "journal-mismatch",
    problem: "The folder already holds a run",
    where: runFolder,
    expected: "an empty folder, or --resume",
    fix: "Resume that run, or choose another folder.",
  });
}
