import type { Component, JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { BothFiles } from "./both-files.ts";
import { checkHoldsRun, openBothFiles, workMissing } from "./both-files.ts";
import { checkSameRun } from "./check-same-run.ts";
import { memoryLines } from "../../storage/index.ts";
import { runLock } from "./run-lock.ts";
import { withoutEnd } from "./without-end.ts";
import type { WorkHead, WorkLine } from "./line/work-line.ts";

export interface HowToOpen {
  readonly resume: boolean;
  /** Whether to continue a run that an outside event ended; see `reopenRun`. */
  readonly reopen: boolean;
  /** What the run starts from, to say how a run to resume differs. */
  readonly components: readonly Component[];
}

/**
 * Opens the two files of a run, or keeps them in memory if no folder is given. A rejected run is
 * left unchanged, including its end.
 *
 * @throws EspalierError `file-missing` when there is nothing to resume or its replies are gone,
 *   `journal-mismatch` when the folder already holds a run, or a different one from the run to
 *   resume, `run-locked` while another process works on it
 */
export function openRunFiles(
  folder: string | undefined,
  { resume, reopen, components }: HowToOpen,
  run: JsonObject,
): BothFiles & Disposable {
  if (folder === undefined) {
    return { journal: memoryLines(), work: memoryLines(), [Symbol.dispose]: () => {} };
  }
  if (resume) checkHoldsRun(folder);
  // Locked before the files are opened, since opening cuts off what another process may be writing.
  const lock = runLock(folder);
  try {
    const files = openBothFiles(folder);
    try {
      checkRun(files, { folder, resume, run, components });
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
    components: now,
  }: Omit<HowToOpen, "reopen"> & { readonly folder: string; readonly run: JsonObject },
): void {
  const events = journal.existing as readonly OptimizerEvent[];
  const [head] = events;
  const lines = work.existing as readonly WorkLine[];
  // A `restart` lets another run begin after it.
  const workHead = lines[1 + lines.findLastIndex(({ kind }) => kind === "restart")];
  if ((head !== undefined || workHead !== undefined) && !resume) {
    throw new EspalierError({
      code: "journal-mismatch",
      problem: "The folder already holds a run",
      where: folder,
      expected: "an empty folder, or `resume`",
      fix: "Resume that run, or choose another folder.",
    });
  }
  if (head !== undefined) {
    const first = events.find(({ kind }) => kind === "candidate-accepted");
    const recorded = first?.kind === "candidate-accepted" ? first.record.components : undefined;
    checkSameRun(head.kind === "run-start" ? head.run : {}, run, folder, { recorded, now });
  }
  if (head !== undefined && workHead === undefined) throw workMissing(folder, "an empty file");
  const ofThisRun: WorkHead = { kind: "run", hash: contentHash(run) };
  if (workHead === undefined) work.append(ofThisRun);
  else checkWorkHead(workHead, ofThisRun, folder);
}

/** Only a run's first line identifies it: the other lines refer to steps by number. */
function checkWorkHead(before: unknown, { kind, hash }: WorkHead, folder: string): void {
  const { kind: kindBefore, hash: hashBefore } = before as Partial<WorkHead>;
  if (kindBefore === kind && hashBefore === hash) return;
  throw new EspalierError({
    code: "journal-mismatch",
    problem: "`work.jsonl` belongs to another run",
    where: folder,
    expected: "the replies of this run, with its program, data and options",
    fix: "Resume the run with both of its files, or choose another folder.",
  });
}
