import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { LmRole } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { isNoSuchFile } from "../../internal/index.ts";
import type { LedgerEntry, LedgerCounts } from "../../ledger/index.ts";
import type { PriceTable } from "../budget/index.ts";
import { costOfRoles } from "../budget/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { Rollout } from "../evaluation/rollout.ts";
import { callCosts } from "./call-costs.ts";
import { eventChecker, checkLine } from "./line/event-lines.ts";
import type { WorkLine } from "./line/work-lines.ts";
import { rolloutOf, workShape } from "./line/work-lines.ts";
import type { DecidedRun } from "./run-decisions.ts";
import { runDecisions } from "./run-decisions.ts";
import { runAdvice, runFolderFiles, runIn } from "./run-folder.ts";
import type { WorkLog } from "./work-log.ts";
import { workLog } from "./work-log.ts";
import { eachWholeLine, memoryLines, wholeLines } from "../../storage/index.ts";

/** The content of a run's folder, whether or not the run has ended. */
export interface RecordedRun extends DecidedRun {
  /** What was sent to a server, by role, across all processes so far. */
  readonly billed: { readonly [Role in LmRole]?: LedgerEntry["billed"] };
}

/** Sees what `readRun` reads, in the order of the files: first the journal, then the work done. */
export interface RunWatch {
  readonly onEvent?: (event: OptimizerEvent) => void;
  readonly onWork?: (work: RunWork) => void;
}

/** Work that a run did, besides its calls. */
export type RunWork =
  | { readonly kind: "rollout"; readonly step: number; readonly rollout: Rollout }
  /** Wall time so far, of all processes. */
  | { readonly kind: "elapsed"; readonly ms: number }
  /** What went before no longer counts, except its replies. */
  | { readonly kind: "restart" }
  /** At the end: the worst cost of calls whose end is unknown, in US dollars. */
  | { readonly kind: "unended"; readonly usd: number };

/**
 * Reads a run's folder without modifying it; the run may still be in progress. Holds no line longer
 * than needed.
 *
 * Throws `file-missing` when the folder holds no run, `file-malformed` when its journal is broken
 * before its last line or was written by another version.
 */
export function readRun(folder: string, { onEvent, onWork }: RunWatch = {}): RecordedRun {
  const { journal: path, work: workPath } = runFolderFiles(folder);
  const checked = eventChecker(path);
  const decisions = runDecisions();
  let isHead = true;
  for (const line of linesOf(path, () => eachWholeLine(path, { advice: runAdvice }))) {
    if (isHead) checkHead(path, line);
    isHead = false;
    const event = checked(line);
    onEvent?.(event);
    decisions.take(event);
  }
  const decided = decisions.soFar();
  if (decided === null) throw notAJournal(path, "an empty file");
  const costs = callCosts();
  for (const line of linesOf(workPath, () => workLinesIn(workPath))) {
    costs.take(line);
    const { kind } = line;
    if (kind === "score") onWork?.({ kind: "rollout", step: line.step, rollout: rolloutOf(line) });
    if (kind === "rollout" || kind === "elapsed" || kind === "restart") onWork?.(line);
  }
  costs.end();
  onWork?.({ kind: "unended", usd: costs.unendedUsd });
  return { ...decided, billed: costs.billed() };
}

function checkHead(path: string, line: unknown): void {
  const { kind, format } = line as Partial<Extract<OptimizerEvent, { kind: "run-start" }>>;
  if (kind === "run-start" && format === "espalier-journal/3") return;
  const isOther = /^espalier-journal\/\d+$/.test(String(format));
  throw notAJournal(path, JSON.stringify(line).slice(0, 80), isOther);
}

function notAJournal(path: string, got: string, isOther = false): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: isOther
      ? "The run was written by another version of espalier"
      : "The file is not the journal of a run",
    where: path,
    expected: '"format": "espalier-journal/3" in its first line',
    got,
    ...(isOther && { fix: "Use the espalier that wrote it, or start a new run." }),
  });
}

/**
 * Lines of a file that may still be written to; anything after the last complete line is ignored.
 */
function* linesOf<TLine>(path: string, lines: () => Iterable<TLine>): Generator<TLine> {
  try {
    yield* lines();
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw isNoSuchFile(error) ? runMissing(path, error) : unreadable(path, error);
  }
}

function runMissing(path: string, cause: unknown): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: "No run was found",
    where: path,
    expected: "a folder written by `optimize`, with `journal.jsonl` and `work.jsonl`",
    got: messageOf(cause),
    ...(runIn(dirname(path)).hasWork && {
      fix: "Its replies exist: resume the run to rewrite the journal.",
    }),
    cause,
  });
}

function unreadable(path: string, cause: unknown): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: "A file of the run cannot be read",
    where: path,
    got: messageOf(cause),
    fix: "Check that it is a file and that you have permission to read it.",
    cause,
  });
}

/** Reads a file of recorded replies without modifying it; an empty log if there is no file. */
export function readWork(path: string): WorkLog {
  const existing = existsSync(path)
    ? wholeLines(path, { isChecked: true, advice: runAdvice }).values
    : [];
  return workLog({ ...memoryLines(), path, existing });
}

/**
 * What was sent to a server, by role, according to a file of recorded replies; empty if there is no
 * file.
 */
export function billedIn(path: string): ReturnType<WorkLog["billed"]> {
  return readWork(path).billed();
}

/** Its lines one by one: the replies of a long run may not fit into memory. */
export function* workLinesIn(path: string): Generator<WorkLine> {
  let place = 0;
  for (const line of eachWholeLine(path, { isChecked: true, advice: runAdvice })) {
    checkLine(line, { shape: workShape, path, place });
    place++;
    yield line as WorkLine;
  }
}

/** What a file of recorded work says was spent. */
export interface RecordedSpending {
  /** Rollouts on file, of the last run in it. */
  readonly metricCalls: number;
  /** Replies of the reflection LM. */
  readonly reflectionCalls: number;
  /** Replies of all LMs, each once. */
  readonly lmCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Calls that were sent to a server, with those that got no reply. */
  readonly billedCalls: number;
  /** In US dollars, calls of unknown end at their worst case; `null` without prices. */
  readonly usd: number | null;
  readonly seconds: number;
}

/**
 * What all processes that wrote to a file of recorded work spent together, whether or not the work
 * has ended; nothing if there is no file.
 */
export function spentIn(path: string, prices: PriceTable | undefined): RecordedSpending {
  const log = readWork(path);
  const { total, byRole } = log.costs();
  const answered = ({ calls, failedCalls }: LedgerCounts): number => calls - failedCalls;
  return {
    metricCalls: log.counts.rollouts,
    reflectionCalls: byRole.reflection === undefined ? 0 : answered(byRole.reflection.logical),
    lmCalls: answered(total.logical),
    promptTokens: total.logical.promptTokens,
    completionTokens: total.logical.completionTokens,
    billedCalls: total.billed.calls,
    usd: prices === undefined ? null : costOfRoles(log.billed(), prices) + log.unendedUsd,
    seconds: log.elapsedMs / 1000,
  };
}
