import { dirname } from "node:path";
import type { LmRole, JsonObject } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { isNoSuchFile, componentId } from "../../internal/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import type { UsageByRole } from "../budget/index.ts";
import { bestOf, paretoFront } from "../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import type { OptimizerEvent, MetDispute, StopReason } from "../contract/optimizer-event.ts";
import type { ChosenSearch } from "../contract/optimizer-plan.ts";
import type { Spent } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/rollout.ts";
import { callCosts } from "./call-costs.ts";
import { eventChecker } from "./line/event-lines.ts";
import { rolloutOf } from "./line/work-lines.ts";
import { runAdvice, runFolderFiles, runIn } from "./run-folder.ts";
import { workLinesIn } from "./work-log.ts";
import { eachWholeLine } from "../../storage/index.ts";

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

/** What a run decided, whether or not it has ended. */
export interface DecidedRun {
  /** Everything the trajectory depends on. */
  readonly run: JsonObject;
  /** Searches that the optimizer chose, one after the other; empty if it chooses none. */
  readonly searches: readonly ChosenSearch[];
  /** Absent while the run has not ended. */
  readonly end?: {
    readonly reason: StopReason;
    readonly detail?: string;
    /** Logical usage of the steps that stand. */
    readonly used: UsageByRole;
  };
  readonly iterations: number;
  /** All accepted candidates, the seed first; empty before the seed was evaluated. */
  readonly candidates: readonly CandidateRecord[];
  /** The run's best; before its end the highest on val. `null` before the seed was evaluated. */
  readonly best: CandidateRecord | null;
  /** Ids of the candidates that are best at something, as in the run's result. */
  readonly front: readonly number[];
  readonly rejections: readonly Rejection[];
  /** Where re-runs disagreed with reused scores. */
  readonly disputes: readonly MetDispute[];
  readonly spent: Spent;
}

/** Takes a run's events, in order, from its journal or as they happen. */
export interface RunDecisions {
  take(event: OptimizerEvent): void;
  /** `null` before the first event. */
  soFar(): DecidedRun | null;
  /** As it is by now; `undefined` before it was accepted. */
  candidate(id: number): CandidateRecord | undefined;
}

export function runDecisions(): RunDecisions {
  let head: Extract<OptimizerEvent, { kind: "run-start" }> | undefined;
  const searches: ChosenSearch[] = [];
  const candidates: CandidateRecord[] = [];
  const rejections: Rejection[] = [];
  const disputes: MetDispute[] = [];
  let end: Extract<OptimizerEvent, { kind: "run-end" }> | undefined;
  let spent: Spent = { metricCalls: 0, reflectionCalls: 0, lmCalls: 0, tokens: 0 };
  let iterations = 0;
  return {
    take: (event) => {
      if (event.kind === "run-start") head = event;
      if (event.kind === "search-chosen") searches.push(event.search);
      if (event.kind === "candidate-accepted") {
        candidates.push(wholeRecord(event.record, candidates));
      }
      if (event.kind === "candidate-confirmed") {
        const { candidate, selection } = event;
        const before = candidates[candidate];
        if (before !== undefined) candidates[candidate] = { ...before, selection };
      }
      if (event.kind === "score-reuse-kept" || event.kind === "score-reuse-ended") {
        disputes.push(withoutSequence(event));
      }
      if (event.kind === "candidate-refused") {
        const { kind: _kind, ...rejection } = event;
        rejections.push(withoutSequence(rejection));
      }
      if (event.kind === "iteration-start") iterations = event.iteration;
      if (event.kind === "budget-spent") {
        const { metricCalls, reflectionCalls, lmCalls, tokens } = event;
        spent = { metricCalls, reflectionCalls, lmCalls, tokens };
      }
      if (event.kind === "run-end") end = event;
    },
    candidate: (id) => candidates[id],
    soFar: () => {
      if (head === undefined) return null;
      return {
        run: head.run,
        searches,
        ...(end && {
          end: {
            reason: end.reason,
            ...(end.detail !== undefined && { detail: end.detail }),
            used: end.used,
          },
        }),
        iterations,
        candidates,
        best: candidates[end?.best ?? -1] ?? bestOf(candidates) ?? null,
        front: paretoFront(candidates),
        rejections,
        disputes,
        spent,
      };
    },
  };
}

/**
 * Completes a candidate: the journal holds only the components that differ from its first parent.
 */
function wholeRecord(
  record: CandidateRecord,
  candidates: readonly CandidateRecord[],
): CandidateRecord {
  const parent = candidates[record.parents[0] ?? -1];
  if (parent === undefined) return record;
  const changed = new Map(record.components.map((held) => [componentId(held), held]));
  const components = parent.components.map((held) => changed.get(componentId(held)) ?? held);
  return { ...record, components };
}

function withoutSequence<TEvent extends object>(event: TEvent): TEvent {
  const { sequence: _sequence, ...rest } = event as TEvent & { readonly sequence?: number };
  return rest as TEvent;
}
