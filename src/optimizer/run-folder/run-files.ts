import { truncateSync } from "node:fs";
import type { Component, JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import { checkSameRun } from "./check-same-run.ts";
import { checkEvents } from "./line/event-lines.ts";
import { runLock, runAdvice, runFolderFiles, runIn } from "./run-folder.ts";
import type { WorkHead, WorkLine } from "./line/work-lines.ts";
import type { JsonlFile } from "../../storage/index.ts";
import { memoryLines, openJsonlFile } from "../../storage/index.ts";

/**
 * The two files of a run. `journal` holds what was decided and nothing that depends on timing, so
 * the same run has the same bytes; `work` holds what was done, in the order in which it was done.
 * Four rules keep them together:
 *
 * 1. Work is on file before the decisions that it led to, so a kill never leaves a decision without
 *    its work.
 * 2. A journal without work behind it is not resumed: every call would be paid for again. Work
 *    without a journal is: the decisions are repeated from it.
 * 3. Both name the run that they are of.
 * 4. The journal is cut back where a run is reopened or given up, and only then is a line added to
 *    the work: a kill in between leaves the run as it was.
 */
export interface RunFiles {
  readonly journal: JsonlFile;
  readonly work: JsonlFile;
}

interface HowToOpen {
  readonly resume: boolean;
  /** Whether to continue a run that an outside event ended. */
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
): RunFiles & Disposable {
  if (folder === undefined) {
    return { journal: memoryLines(), work: memoryLines(), [Symbol.dispose]: () => {} };
  }
  if (resume) checkHoldsRun(folder);
  using stack = new DisposableStack();
  // Locked before the files are opened, since opening cuts off what another process may be writing.
  stack.use(runLock(folder));
  const files = stack.use(openBothFiles(folder));
  checkRun(files, { folder, resume, run, components });
  const { journal, work } = (reopen && withoutEnd(folder, files)) || files;
  const open = stack.move();
  return { journal, work, [Symbol.dispose]: () => open.dispose() };
}

/** Opens the files of a run and creates missing ones. The caller holds the folder's lock. */
function openBothFiles(folder: string): RunFiles & Disposable {
  const paths = runFolderFiles(folder);
  using stack = new DisposableStack();
  const work = openJsonlFile(paths.work, { isChecked: true, advice: runAdvice });
  stack.defer(() => work.close());
  const journal = openJsonlFile(paths.journal, { after: work, advice: runAdvice });
  stack.defer(() => journal.close());
  checkEvents(journal.path, journal.existing);
  const open = stack.move();
  return { journal, work, [Symbol.dispose]: () => open.dispose() };
}

function checkRun(
  { journal, work }: RunFiles,
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

/**
 * Throws for a folder without a run, before a lock is created in it. A run that has lost its
 * journal still counts: its decisions can be repeated from its recorded work.
 *
 * @throws EspalierError `file-missing`
 */
function checkHoldsRun(folder: string): void {
  const { hasJournal, hasWork } = runIn(folder);
  if (hasWork) return;
  if (hasJournal) throw workMissing(folder, "no such file");
  throw new EspalierError({
    code: "file-missing",
    problem: "There is no run to resume",
    where: folder,
    expected: "a folder with `journal.jsonl` and `work.jsonl`",
    fix: "Start the run without `resume`.",
  });
}

/**
 * Without this file, every call behind the journal's decisions would be made and paid for again.
 */
function workMissing(folder: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem:
      "The run's replies are missing: resuming it would request and pay for all of them again",
    where: runFolderFiles(folder).work,
    expected: "the file written beside `journal.jsonl`",
    got,
    fix: "Nothing was requested and the journal is unchanged: restore the file, or start a new run in another folder.",
  });
}

/**
 * Removes the end of a run that an outside event ended. The last outside answer is replaced by "go
 * on", as if the question had come too early. The caller holds the folder's lock.
 *
 * @returns the files as they are now; `null`, with the files unchanged, for a run that ended
 *   otherwise or has not ended
 */
function withoutEnd(folder: string, { journal, work }: RunFiles): RunFiles | null {
  const end = journal.existing.at(-1) as OptimizerEvent | undefined;
  if (end?.kind !== "run-end" || end.reason !== "stopper") return null;
  const lines = work.existing as readonly WorkLine[];
  const stopped = lines.findLast(({ kind }) => kind === "stopped");
  if (stopped?.kind !== "stopped" || stopped.reason === null) return null;
  if (stopped.reason !== end.detail) return null;
  const goOn: WorkLine = { kind: "stopped", asked: stopped.asked, reason: null };
  // In this order, a kill in between leaves a run that ends again as it did.
  const kept = endOf(journal.existing as readonly OptimizerEvent[]);
  truncateSync(runFolderFiles(folder).journal, journal.lineStarts[kept]);
  work.append(goOn);
  return {
    journal: { ...journal, existing: journal.existing.slice(0, kept) },
    work: { ...work, existing: [...work.existing, goOn] },
  };
}

/** Where that begins which a search emits because it ends. */
function endOf(events: readonly OptimizerEvent[]): number {
  return events.findLastIndex((event) => !isOfEnd(event)) + 1;
}

/** A search that goes on decides these otherwise. */
function isOfEnd({ kind }: OptimizerEvent): boolean {
  return kind === "run-end" || kind === "candidate-refused";
}

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
