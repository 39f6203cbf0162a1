import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { OptimizerEvent } from "../optimizer-event.ts";
import { checkSameRun } from "./check-same-run.ts";
import type { JsonlFile } from "./jsonl-file.ts";
import { memoryLines, openJsonlFile } from "./jsonl-file.ts";
import { runLock } from "./run-lock.ts";
import type { WorkHead } from "./work-line.ts";

export interface RunFiles extends Disposable {
  readonly journal: JsonlFile;
  readonly work: JsonlFile;
}

/**
 * Opens the two files of a run, or keeps them in memory when no folder is named.
 *
 * @throws EspalierError `file-missing` when there is nothing to resume, `journal-mismatch` when the
 * folder holds a run already, or another one than is to be resumed, `run-locked` while another process
 * works on it
 */
export function openRunFiles(
  folder: string | undefined,
  resume: boolean,
  run: JsonObject,
): RunFiles {
  if (folder === undefined) {
    return { journal: memoryLines(), work: memoryLines(), [Symbol.dispose]: () => {} };
  }
  if (resume && !existsSync(join(folder, "journal.jsonl"))) {
    throw new EspalierError({
      code: "file-missing",
      problem: "There is no run to resume",
      where: folder,
      expected: "a folder with `journal.jsonl` and `work.jsonl`",
      fix: "Begin the run without `resume`.",
    });
  }
  // Before the files, since opening one cuts off what another process may be writing.
  const lock = runLock(folder);
  try {
    return filesIn(folder, resume, run, lock);
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function filesIn(folder: string, resume: boolean, run: JsonObject, lock: Disposable): RunFiles {
  const workFile = openJsonlFile(join(folder, "work.jsonl"));
  let journalFile: JsonlFile | undefined;
  const close = (): void => {
    journalFile?.close();
    workFile.close();
  };
  try {
    // What was decided must never be known without what was done before it.
    journalFile = openJsonlFile(join(folder, "journal.jsonl"), { after: workFile });
    const [head] = journalFile.existing as readonly OptimizerEvent[];
    const [workHead] = workFile.existing;
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
    const ofThisRun: WorkHead = { kind: "run", hash: contentHash(run) };
    if (workHead === undefined) workFile.append(ofThisRun);
    else checkWorkHead(workHead, ofThisRun, folder);
    return {
      journal: journalFile,
      work: workFile,
      [Symbol.dispose]: () => {
        close();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
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
