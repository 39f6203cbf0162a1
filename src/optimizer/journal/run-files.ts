import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { OptimizerEvent } from "../optimizer-event.ts";
import { checkSameRun } from "../run-description.ts";
import type { JsonlFile } from "./jsonl-file.ts";
import { memoryLines, openJsonlFile } from "./jsonl-file.ts";
import { runLock } from "./run-lock.ts";

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
  const journalFile = openJsonlFile(join(folder, "journal.jsonl"));
  const [head] = journalFile.existing as readonly OptimizerEvent[];
  try {
    if (head !== undefined && !resume) {
      throw new EspalierError({
        code: "journal-mismatch",
        problem: "The folder holds a run already",
        where: folder,
        expected: "an empty folder, or `resume`",
        fix: "Resume that run, or name another folder.",
      });
    }
    if (head !== undefined) checkSameRun(head.kind === "run-start" ? head.run : {}, run, folder);
    const workFile = openJsonlFile(join(folder, "work.jsonl"));
    return {
      journal: journalFile,
      work: workFile,
      [Symbol.dispose]: () => {
        journalFile.close();
        workFile.close();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    journalFile.close();
    throw error;
  }
}
