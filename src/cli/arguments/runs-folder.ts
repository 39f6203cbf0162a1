import { existsSync, readdirSync, statSync } from "node:fs";
import { join, dirname } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { holdsRun } from "../../optimizer/files.ts";

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
  if (!holdsRun(runFolder)) return;
  throw new EspalierError({
    code: "journal-mismatch",
    problem: "The folder already holds a run",
    where: runFolder,
    expected: "an empty folder, or --resume",
    fix: "Resume that run, or choose another folder.",
  });
}

const maxNamed = 5;

/**
 * The error for `--resume` of a folder without a run: it names the runs that there are, the newest
 * first, beside that folder and where runs are kept.
 *
 * @param isRun whether a folder holds what could be resumed
 */
export function nothingToResume(
  what: "run" | "experiment",
  folder: string,
  isRun: (folder: string) => boolean,
): EspalierError {
  const beside = [...new Set([dirname(folder), runsFolder])].flatMap(foldersIn).filter(isRun);
  const newest = beside.toSorted((one, other) => changedAt(other) - changedAt(one));
  const more = newest.length - maxNamed;
  const there = newest.slice(0, maxNamed).join(", ");
  return new EspalierError({
    code: "file-missing",
    problem: `There is no ${what} to resume`,
    where: folder,
    got: existsSync(folder)
      ? `a folder without ${what === "run" ? "a run" : "an experiment"}`
      : "no such folder",
    fix:
      newest.length === 0
        ? `There is none in ${runsFolder} either: start one without --resume`
        : `Choose one of: ${there}${more > 0 ? `, and ${more} older` : ""}`,
  });
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function changedAt(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
