import type { LmRole, JsonObject } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { isNoSuchFile, componentId } from "../../internal/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import { bestOf, paretoFront } from "../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import type { OptimizerEvent, MetDispute } from "../contract/optimizer-event.ts";
import type { ChosenSearch } from "../contract/optimizer-plan.ts";
import type { Spent } from "../contract/optimizer.ts";
import { callCosts } from "./call-costs.ts";
import { journalEvents, notAJournal } from "./journal.ts";
import type { WorkLine } from "./journal-lines.ts";
import { isDecision } from "./journal-lines.ts";
import { holdsRun, runAdvice, runFolderFiles } from "./run-folder.ts";
import { eachWholeLine } from "../../storage/index.ts";

/** The content of a run's folder, whether or not the run has ended. */
export interface RecordedRun extends DecidedRun {
  /** What was sent to a server, by role, across all processes so far. */
  readonly billed: { readonly [Role in LmRole]?: LedgerEntry["billed"] };
  /** The worst cost of calls whose end is unknown, in US dollars. */
  readonly unendedUsd: number;
  /** Wall time so far, of all processes. */
  readonly elapsedMs: number;
}

/**
 * Reads a run's folder without modifying it; the run may still be in progress. Holds no line longer
 * than needed.
 *
 * Throws `file-missing` when the folder holds no run, `file-malformed` when a line of its journal
 * is broken or was changed, or another version wrote it.
 *
 * @param onEvent sees the journal's events, in their order
 */
export function readRun(folder: string, onEvent?: (event: OptimizerEvent) => void): RecordedRun {
  const { journal: path } = runFolderFiles(folder);
  const eventOf = journalEvents(path);
  const decisions = runDecisions();
  const costs = callCosts();
  let [number, elapsedMs] = [0, 0];
  for (const held of linesOf(path)) {
    number++;
    if (isDecision(held)) {
      const event = eventOf(held, number);
      onEvent?.(event);
      decisions.take(event);
      continue;
    }
    const line = held as WorkLine;
    costs.take(line);
    if (line.kind === "elapsed") elapsedMs = line.ms;
  }
  const decided = decisions.soFar();
  if (decided === null)
    throw notAJournal(path, "a file without decisions, as when a run has just begun");
  costs.end();
  return { ...decided, billed: costs.billed(), unendedUsd: costs.unendedUsd, elapsedMs };
}

/** Whether a run has begun in the folder and decided something. */
export function hasDecisions(folder: string): boolean {
  if (!holdsRun(folder)) return false;
  for (const line of linesOf(runFolderFiles(folder).journal)) if (isDecision(line)) return true;
  return false;
}

/** Lines of a file that may still be written to. */
function* linesOf(path: string): Generator<object> {
  try {
    yield* eachWholeLine(path, runAdvice);
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    const isMissing = isNoSuchFile(error);
    throw new EspalierError({
      code: "file-missing",
      problem: isMissing ? "No run was found" : "The run's journal cannot be read",
      where: path,
      expected: "a folder written by `optimize`, with `journal.jsonl`",
      got: messageOf(error),
      ...(!isMissing && {
        fix: "Check that it is a file and that you have permission to read it.",
      }),
      cause: error,
    });
  }
}

/** What a run decided, whether or not it has ended. */
export interface DecidedRun {
  /** Everything the trajectory depends on. */
  readonly run: JsonObject;
  /** Searches that the optimizer chose, one after the other; empty if it chooses none. */
  readonly searches: readonly ChosenSearch[];
  /** Absent while the run has not ended. */
  readonly end?: Extract<OptimizerEvent, { kind: "run-end" }>;
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
      if (event.kind === "run-end") end = withoutSequence(event);
    },
    candidate: (id) => candidates[id],
    soFar: () => {
      if (head === undefined) return null;
      return {
        run: head.run,
        searches,
        ...(end && { end }),
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
