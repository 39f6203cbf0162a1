import { deepFreeze } from "../../../internal/index.ts";
import { bestOf } from "../../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection } from "../../candidate/candidate-record.ts";
import { acceptedEvent } from "../../contract/search-log.ts";
import { rounding } from "../strategy/acceptance.ts";
import { earnMerge } from "../strategy/merge-proposal.ts";
import { frontier } from "../strategy/frontier.ts";
import type { Acceptance, Decision } from "./decision.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";

/**
 * The state after applying decisions in order. Nothing else writes the state or emits events,
 * except that `Evidence` reports the rollouts it runs.
 */
export function advance(
  state: SearchState,
  decisions: readonly Decision[],
  tools: Tools,
): SearchState {
  return decisions.reduce((before, decision) => afterOne(before, decision, tools), state);
}

function afterOne(state: SearchState, decision: Decision, tools: Tools): SearchState {
  const { run, evidence } = tools;
  const { iteration } = state;
  switch (decision.kind) {
    case "iteration-begun":
      run.emit({ kind: "iteration-start", iteration: iteration + 1 });
      return { ...state, iteration: iteration + 1, accepted: [] };
    case "merge-sought": {
      const { child } = decision;
      const { proposed } = state.merges;
      const made = child === null ? proposed : [...proposed, child];
      return { ...state, merges: { ...state.merges, isNewSince: false, proposed: made } };
    }
    case "proposal-skipped": {
      const { parent, reason } = decision;
      run.emit({ kind: "proposal-skipped", iteration, parent, reason });
      return state;
    }
    case "turn-moved":
      return { ...state, pointers: state.pointers.with(decision.parent, decision.pointer) };
    case "texts-requested":
      run.emit({ kind: "budget-spent", iteration, ...run.spent });
      return state;
    case "texts-written":
      return { ...state, failures: failuresAfter(state.failures, decision.texts) };
    case "proposed": {
      const { parents, texts } = decision;
      run.emit({ kind: "candidate-proposed", iteration, ...deepFreeze({ parents, texts }) });
      return state;
    }
    case "texts-tried":
      for (const component of decision.components) {
        state.tried.add(component, decision.isDecided);
      }
      return state;
    case "lesson-failed":
      evidence.lessons.fail(decision.components, decision.rollout);
      return state;
    case "rejected": {
      const rejection: Rejection = deepFreeze({ iteration, ...decision.rejection });
      run.emit({ kind: "candidate-refused", ...rejection });
      return { ...state, rejections: state.rejections.concat(rejection) };
    }
    case "accepted":
      return accept(state, decision, tools);
    case "confirmed":
      return confirm(state, decision, tools);
    case "reuse-ended":
      return { ...state, isReuseOver: true };
    case "best-replaced":
      return { ...state, best: decision.best };
    case "budget-reached":
      return { ...state, isOverBudget: true };
    case "nothing-tried":
      return { ...state, idle: state.idle + 1 };
    case "text-tried":
      return { ...state, idle: 0 };
    case "iteration-ended": {
      const accepted = Object.freeze([...state.accepted]);
      run.emit({ kind: "iteration-end", iteration, accepted });
      if (accepted.length > 0) run.checkpoint();
      return accepted.length > 0 ? { ...state, idle: 0 } : state;
    }
  }
}

/** Adds a candidate; its children continue with the component after the one it changed. */
function accept(
  state: SearchState,
  { candidate: made, by, supersedes = false, actedOn, onTrain }: Acceptance,
  { run, settings, evidence }: Tools,
): SearchState {
  const { candidates, pointers, best, iteration, merges } = state;
  const { components, parents, changed, learntFrom, gate, selection, acceptance } = made;
  const candidate: CandidateRecord = deepFreeze({
    id: candidates.length,
    components,
    parents,
    iteration,
    changed,
    learntFrom,
    ...(gate && { gate }),
    selection,
    acceptance,
    metricCallsBefore: made.metricCallsBefore,
  });
  state.frontier.add(candidate);
  const before = candidates[parents[0] ?? -1]?.components ?? [];
  for (const [index, component] of components.entries()) {
    if (component !== before[index]) state.tried.add(component, true);
  }
  evidence.lessons.inherit(candidate, actedOn);
  evidence.lessons.add(candidate.id, onTrain);
  const added = candidates.concat(candidate);
  run.emit(acceptedEvent(candidate, added));
  const superseding = supersedes
    ? state.superseding.union(new Set([candidate.id]))
    : state.superseding;
  return {
    ...state,
    candidates: added,
    pointers: pointers.concat(Math.max(0, ...parents.map((parent) => pointers[parent] ?? 0))),
    best: bestOf(best === undefined ? [candidate] : [best, candidate], superseding),
    superseding,
    accepted: [...state.accepted, candidate.id],
    merges:
      by === "merge"
        ? { ...merges, due: merges.due - 1, accepted: merges.accepted + 1 }
        : by === "reflection"
          ? earnMerge(merges, settings.merge)
          : merges,
  };
}

/** Replaces a candidate's scores by its own; it or others may fall behind by these. */
function confirm(
  state: SearchState,
  { candidate: { id }, selection }: Extract<Decision, { kind: "confirmed" }>,
  { run, settings }: Tools,
): SearchState {
  const { candidates: before, iteration } = state;
  const confirmed = deepFreeze({ ...(before[id] as CandidateRecord), selection });
  const candidates = before.with(id, confirmed);
  const compared = frontier(settings.frontier);
  for (const one of candidates) compared.add(one);
  run.emit({ kind: "candidate-confirmed", iteration, candidate: id, selection });
  const superseding = new Set(
    [...state.superseding].filter((child) => !isBehindParent(candidates[child], candidates)),
  );
  return {
    ...state,
    candidates,
    frontier: compared,
    best: bestOf(candidates, superseding),
    superseding,
  };
}

function isBehindParent(
  child: CandidateRecord | undefined,
  candidates: readonly CandidateRecord[],
): boolean {
  const valueOf = (one: CandidateRecord | undefined): number => one?.selection.value ?? -Infinity;
  const { parents = [] } = child ?? {};
  return parents.some((parent) => valueOf(child) < valueOf(candidates[parent]) - rounding);
}

/** Counts consecutive failures: over all texts, and per component. */
function failuresAfter(
  before: SearchState["failures"],
  texts: readonly { readonly component: string; readonly isFailure: boolean }[],
): SearchState["failures"] {
  const failures = new Map(before);
  for (const { component, isFailure } of texts) {
    for (const name of ["all", component]) {
      failures.set(name, isFailure ? (failures.get(name) ?? 0) + 1 : 0);
    }
  }
  return failures;
}
