import type { JsonObject } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import type { UsageByRole } from "../budget/index.ts";
import { bestOf, paretoFront } from "../candidate/candidate-measures.ts";
import type {
  CandidateRecord,
  Rejection,
  DemonstrationCredit,
} from "../candidate/candidate-record.ts";
import { showsSameDemonstrations } from "../candidate/components.ts";
import type { ChosenSearch } from "../contract/optimizer-plan.ts";
import type { MetDispute, OptimizerEvent, StopReason } from "../contract/optimizer-event.ts";
import type { Spent } from "../contract/optimizer.ts";

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
  readonly refusals: readonly Rejection[];
  /** Where re-runs disagreed with reused scores. */
  readonly disputes: readonly MetDispute[];
  /** What each demonstration of the best candidate brings; empty where it was not estimated. */
  readonly credits: readonly DemonstrationCredit[];
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
  let credited: Extract<OptimizerEvent, { kind: "demonstrations-credited" }> | undefined;
  let iterations = 0;
  /** Of the best candidate; a later part of the run may have found one that shows others. */
  const creditsFor = (best: CandidateRecord | null): readonly DemonstrationCredit[] => {
    const of = candidates[credited?.candidate ?? -1];
    if (credited === undefined || of === undefined || best === null) return [];
    return showsSameDemonstrations(of.components, best.components) ? credited.credits : [];
  };
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
      if (event.kind === "inheritance-kept" || event.kind === "inheritance-ended") {
        disputes.push(withoutSequence(event));
      }
      if (event.kind === "candidate-refused") rejections.push(withoutHead(event));
      if (event.kind === "demonstrations-credited") credited = event;
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
      const best = candidates[end?.best ?? -1] ?? bestOf(candidates) ?? null;
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
        best,
        front: paretoFront(candidates),
        refusals: rejections,
        disputes,
        credits: creditsFor(best),
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

function withoutHead(event: Rejection & { readonly kind: string }): Rejection {
  const { kind: _kind, ...rejection } = event;
  return withoutSequence(rejection);
}

function withoutSequence<TEvent extends object>(event: TEvent): TEvent {
  const { sequence: _sequence, ...rest } = event as TEvent & { readonly sequence?: number };
  return rest as TEvent;
}
