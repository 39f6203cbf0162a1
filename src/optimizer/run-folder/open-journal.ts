import type { Component, JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkSameRun } from "./check-same-run.ts";
import { journalEvents } from "./journal.ts";
import type { DecisionLine, WorkLine } from "./journal-lines.ts";
import { isDecision } from "./journal-lines.ts";
import { runLock, runAdvice, runFolderFiles, holdsRun } from "./run-folder.ts";
import type { JsonlFile } from "../../storage/index.ts";
import { memoryLines, openJsonlFile, replaceLines, wholeLines } from "../../storage/index.ts";

/**
 * The journal of a run: what was decided, in logical order, between the work that it followed from,
 * in the order in which that was done. Any beginning of the file is a journal of the same run, so a
 * kill loses only what came after. The decisions depend on nothing but the run's description: two
 * runs with the same seed have the same ones, byte for byte, at any concurrency.
 */
export interface OpenJournal {
  readonly file: JsonlFile;
  /** Those that it held when it was opened. */
  readonly decisions: readonly DecisionLine[];
}

interface HowToOpen {
  readonly resume: boolean;
  /** Whether to continue a run that an outside event ended. */
  readonly reopen: boolean;
  /** What the run starts from, to say how a run to resume differs. */
  readonly components: readonly Component[];
}

/**
 * Opens the journal of a run, or keeps it in memory if no folder is given. A rejected run is left
 * unchanged, including its end.
 *
 * @throws EspalierError `file-missing` when there is nothing to resume, `journal-mismatch` when the
 *   folder already holds a run, or a different one from the run to resume, `run-locked` while
 *   another process works on it
 */
export function openJournal(
  folder: string | undefined,
  { resume, reopen, components }: HowToOpen,
  run: JsonObject,
): OpenJournal & Disposable {
  if (folder === undefined) {
    return { file: memoryLines(), decisions: [], [Symbol.dispose]: () => {} };
  }
  if (resume) checkHoldsRun(folder);
  using stack = new DisposableStack();
  // Locked before the file is opened, since opening cuts off what another process may be writing.
  stack.use(runLock(folder));
  const { journal: path } = runFolderFiles(folder);
  const checked = (): OpenJournal & Disposable => {
    using opening = new DisposableStack();
    const file = opening.adopt(openJsonlFile(path, runAdvice), (opened) => opened.close());
    const decisions = decisionsIn(file);
    checkRun(decisions, { folder, resume, run, components });
    const opened = opening.move();
    return { file, decisions, [Symbol.dispose]: () => opened.dispose() };
  };
  let journal = checked();
  const withoutEnd = reopen ? linesWithoutEnd(journal) : null;
  if (withoutEnd !== null) {
    journal[Symbol.dispose]();
    replaceLines(path, withoutEnd, runAdvice);
    journal = checked();
  }
  const { file, decisions } = stack.use(journal);
  const open = stack.move();
  return { file, decisions, [Symbol.dispose]: () => open.dispose() };
}

/** @throws EspalierError `file-malformed` if one is missing, or another version wrote them */
function decisionsIn({
  path,
  existing,
}: Pick<JsonlFile, "path" | "existing">): readonly DecisionLine[] {
  const check = journalEvents(path);
  return existing.flatMap((line, index) => {
    if (!isDecision(line)) return [];
    check(line, index + 1);
    return [line];
  });
}

function checkRun(
  decisions: readonly DecisionLine[],
  {
    folder,
    resume,
    run,
    components: now,
  }: Omit<HowToOpen, "reopen"> & { readonly folder: string; readonly run: JsonObject },
): void {
  const [head] = decisions;
  if (head?.kind !== "run-start") return;
  if (!resume) {
    throw new EspalierError({
      code: "journal-mismatch",
      problem: "The folder already holds a run",
      where: folder,
      expected: "an empty folder, or `resume`",
      fix: "Resume that run, or choose another folder.",
    });
  }
  const first = decisions.find(({ kind }) => kind === "candidate-accepted");
  const recorded = first?.kind === "candidate-accepted" ? first.record.components : undefined;
  checkSameRun(head.run, run, folder, { recorded, now });
}

/**
 * Throws for a folder without a run, before a lock is created in it.
 *
 * @throws EspalierError `file-missing`
 */
function checkHoldsRun(folder: string): void {
  if (holdsRun(folder)) return;
  throw new EspalierError({
    code: "file-missing",
    problem: "There is no run to resume",
    where: folder,
    expected: "a folder with `journal.jsonl`",
    fix: "Start the run without `resume`.",
  });
}

/**
 * The lines of a run without the end that an outside event brought. The last outside answer is
 * replaced by "go on", as if the question had come too early. `null` for a run that ended otherwise
 * or has not ended.
 */
function linesWithoutEnd({ file, decisions }: OpenJournal): readonly object[] | null {
  const lines = file.existing;
  const end = decisions.at(-1);
  if (end?.kind !== "run-end" || end.reason !== "stopper") return null;
  const work = lines.filter((line) => !isDecision(line)) as readonly WorkLine[];
  const stopped = work.findLast((line) => line.kind === "stopped");
  if (stopped === undefined || stopped.reason !== end.detail) return null;
  // A search that goes on decides otherwise than one that ends.
  const isOfEnd = new Set(["run-end", "candidate-refused"]);
  const kept = decisions.findLastIndex(({ kind }) => !isOfEnd.has(kind)) + 1;
  const goOn: WorkLine = { kind: "stopped", asked: stopped.asked, reason: null };
  return [...lines.filter((line) => !isDecision(line) || line.sequence < kept), goOn];
}

/**
 * Lets another run begin in the folder of an abandoned one, for example with another budget. What
 * was decided is gone. Replies stay and are not requested again; what they cost, the calls that
 * reached tools, and the time they took, count as the new run's.
 *
 * @throws EspalierError `file-missing`, `run-locked`, `file-malformed`
 */
export function restartRun(folder: string): void {
  checkHoldsRun(folder);
  using _lock = runLock(folder);
  const { journal: path } = runFolderFiles(folder);
  const lines = wholeLines(path, runAdvice).values;
  decisionsIn({ path, existing: lines });
  const work = lines.filter((line) => !isDecision(line));
  replaceLines(path, [...work, { kind: "restart" } satisfies WorkLine], runAdvice);
}
