import { dirname } from "node:path";
import type { JsonObject, LmRole } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import type { UsageByRole } from "../budget/index.ts";
import { bestOf } from "../candidate/best-of.ts";
import { paretoFront } from "../candidate/candidate-measures.ts";
import { componentId, isNoSuchFile } from "../../internal/index.ts";
import type { DemonstrationCredit } from "../candidate/demonstration-credit.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import { eventChecker } from "./check-events.ts";
import { eachWholeLine } from "../../storage/index.ts";
import { runAdvice, runFolderFiles, runIn } from "./run-folder.ts";
import { callCosts } from "./call-costs.ts";
import type { Rollout } from "../evaluation/rollout.ts";
import { rolloutOf } from "./line/work-line.ts";
import { workLinesIn } from "./read-work.ts";
import type { ChosenSearch } from "../contract/chosen-search.ts";
import type { MetDispute } from "../contract/dispute.ts";
import type { OptimizerEvent, StopReason } from "../contract/optimizer-event.ts";
import type { Spent } from "../contract/optimizer.ts";

type FailureModesNamed = Extract<OptimizerEvent, { readonly kind: "failure-modes-named" }>;

/** The content of a run's folder, whether or not the run has ended. */
export interface RecordedRun {
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
  readonly refusals: readonly Rejection[];
  /** Where re-runs disagreed with reused scores. */
  readonly disputes: readonly MetDispute[];
  /** Each request for failure modes, the first one first; empty where none was made. */
  readonly failureModes: readonly Omit<FailureModesNamed, "kind">[];
  /** What each demonstration of the best candidate brings; empty where it was not estimated. */
  readonly credits: readonly DemonstrationCredit[];
  readonly spent: Spent;
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
  let head: Extract<OptimizerEvent, { kind: "run-start" }> | undefined;
  const searches: ChosenSearch[] = [];
  const candidates: CandidateRecord[] = [];
  const rejections: Rejection[] = [];
  const disputes: MetDispute[] = [];
  const failureModes: RecordedRun["failureModes"][number][] = [];
  let end: Extract<OptimizerEvent, { kind: "run-end" }> | undefined;
  let spent: Spent = { metricCalls: 0, reflectionCalls: 0, lmCalls: 0, tokens: 0 };
  let credits: readonly DemonstrationCredit[] = [];
  let iterations = 0;
  for (const line of linesOf(path, () => eachWholeLine(path, { advice: runAdvice }))) {
    if (head === undefined) checkHead(path, line);
    const event = checked(line);
    onEvent?.(event);
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
    if (event.kind === "inheritance-kept" || event.kind === "inheritance-ended") {
      // Older journals have disputes without repetitions.
      disputes.push({ ...withoutSequence(event), repeated: event.repeated ?? [] });
    }
    if (event.kind === "candidate-refused") rejections.push(withoutHead(event));
    if (event.kind === "failure-modes-named") {
      const { kind: _kind, ...naming } = withoutSequence(event);
      failureModes.push(naming);
    }
    if (event.kind === "demonstrations-credited") credits = event.credits;
    if (event.kind === "iteration-start") iterations = event.iteration;
    if (event.kind === "budget-spent") {
      const { metricCalls, reflectionCalls, lmCalls, tokens } = event;
      spent = { metricCalls, reflectionCalls, lmCalls, tokens };
    }
    if (event.kind === "run-end") end = event;
  }
  if (head === undefined) throw notAJournal(path, "an empty file");
  const costs = callCosts();
  for (const line of linesOf(workPath, () => workLinesIn(workPath))) {
    costs.take(line);
    const { kind } = line;
    if (kind === "score") onWork?.({ kind: "rollout", step: line.step, rollout: rolloutOf(line) });
    if (kind === "rollout" || kind === "elapsed" || kind === "restart") onWork?.(line);
  }
  costs.end();
  onWork?.({ kind: "unended", usd: costs.unendedUsd });
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
    refusals: rejections,
    disputes,
    failureModes,
    credits,
    spent,
    billed: costs.billed(),
  };
}

function checkHead(path: string, line: unknown): void {
  const { kind, format } = line as Partial<Extract<OptimizerEvent, { kind: "run-start" }>>;
  if (kind === "run-start" && format === "espalier-journal/2") return;
  throw notAJournal(path, JSON.stringify(line).slice(0, 80));
}

function notAJournal(path: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The file is not the journal of a run",
    where: path,
    expected: '"format": "espalier-journal/2" in its first line',
    got,
  });
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

function withoutHead(event: Rejection & { readonly kind: string }): Rejection {
  const { kind: _kind, ...rejection } = event;
  return withoutSequence(rejection);
}

function withoutSequence<TEvent extends object>(event: TEvent): TEvent {
  const { sequence: _sequence, ...rest } = event as TEvent & { readonly sequence?: number };
  return rest as TEvent;
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
