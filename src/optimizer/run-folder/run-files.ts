import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { BothFiles } from "./both-files.ts";
import { checkHoldsRun, openBothFiles, workMissing } from "./both-files.ts";
import { checkSameRun } from "./check-same-run.ts";
import { memoryLines } from "../../storage/index.ts";
import { runLock } from "./run-lock.ts";
import { withoutEnd } from "./without-end.ts";
import type { WorkHead } from "./work-line.ts";

export interface HowToOpen {
  readonly resume: boolean;
  /** Whether a run that something outside ended goes on; see `reopenRun`. */
  readonly reopen: boolean;
}

/**
 * Opens the two files of a run, or keeps them in memory when no folder is named. A run that is
 * refused stays as it is, its end included.
 *
 * @throws EspalierError `file-missing` when there is nothing to resume or its replies are gone,
 *   `journal-mismatch` when the folder holds a run already, or another one than is to be resumed,
 *   `run-locked` while another process works on it
 */
export function openRunFiles(
  folder: string | undefined,
  { resume, reopen }: HowToOpen,
  run: JsonObject,
): BothFiles & Disposable {
  if (folder === undefined) {
    return { journal: memoryLines(), work: memoryLines(), [Symbol.dispose]: () => {} };
  }
  if (resume) checkHoldsRun(folder);
  // Before the files, since opening one cuts off what another process may be writing.
  const lock = runLock(folder);
  try {
    const files = openBothFiles(folder);
    try {
      checkRun(files, { folder, resume, run });
      const { journal, work } = (reopen && withoutEnd(folder, files)) || files;
      return {
        journal,
        work,
        [Symbol.dispose]: () => {
          try {
            files[Symbol.dispose]();
          } finally {
            lock[Symbol.dispose]();
          }
        },
      };
    } catch (error) {
      files[Symbol.dispose]();
      throw error;
    }
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function checkRun(
  { journal, work }: BothFiles,
  {
    folder,
    resume,
    run,
  }: { readonly folder: string; readonly resume: boolean; readonly run: JsonObject },
): void {
  const [head] = journal.existing as readonly OptimizerEvent[];
  const [workHead] = work.existing;
  if ((head !== undefined || workHead !== undefined) && !resume) {
    throw new EspalierError({
      code: "journal-mismatch",
      problem: "The folder holds a run already",
      where: folder,
      expected: "an empty folder, or `resume`",
      fix: "Resume that run, or name another folder.",
    });
  }
  if (head !== undefined) checkSameRun(head.kind === "run-start" ? head.run : {}, run, folder);
  if (head !== undefined && workHead === undefined) throw workMissing(folder, "an empty file");
  const ofThisRun: WorkHead = { kind: "run", hash: contentHash(run) };
  if (workHead === undefined) work.append(ofThisRun);
  else checkWorkHead(workHead, ofThisRun, folder);
}

/** Of what is looked up in the rest of the file nothing names the run: steps are numbers. */
function checkWorkHead(before: unknown, { kind, hash }: WorkHead, folder: string): void {
  const { kind: kindBefore, hash: hashBefore } = before as Partial<WorkHead>;
  if (kindBefore === kind && hashBefore === hash) return;
  throw new EspalierError({
    code: "journal-mismatch",
    problem: "`work.jsonl` belongs to another run",
    where: folder,
    expected: `${kind} ${hash} in its first line`,
    got: JSON.stringify(before).slice(0, 120),
    fix: "Resume the run with both of its files, or name another folder.",
  });
}
