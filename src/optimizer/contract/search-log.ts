import type { Candidate, Component, SplitName } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId, deepFreeze } from "../../internal/index.ts";
import { bestOf, paretoFront } from "../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection, Selection } from "../candidate/candidate-record.ts";
import { componentText } from "../candidate/components.ts";
import type { OptimizerEvent, StopReason } from "./optimizer-event.ts";
import type { OptimizerOutcome, OptimizerRun } from "./optimizer.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import { seedSelection, selectionOf } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * Candidates and rejections of a search whose candidates all come from the program as it is, and
 * the events that tell of them.
 */
export interface SearchLog {
  /** The program as it is comes first. */
  readonly candidates: readonly CandidateRecord[];
  /** The one that began last; 0 before any. */
  readonly iteration: number;
  beginIteration(): void;
  /** Makes a checkpoint if the iteration added candidates. */
  endIteration(): void;
  /**
   * Evaluates the program as it is on the examples that judge, adds it, and makes a checkpoint.
   *
   * @param detail why it is a candidate
   */
  seed(detail?: string): Promise<readonly Rollout[]>;
  propose(components: Candidate): void;
  /** Tells of rollouts on val of proposed components, each list of one, and of what was spent. */
  evaluated(...lists: readonly (readonly Rollout[])[]): void;
  /** Tells what the run has spent so far. */
  spent(): void;
  /** Adds proposed components; the detail is a sentence. */
  accept(components: Candidate, selection: Selection, detail: string): void;
  /**
   * Decides on proposed components that were run on all examples that judge: they become a
   * candidate unless an earlier one matches or beats them in every measure, or in value where they
   * were not run on the same examples.
   */
  decide(components: Candidate, rollouts: readonly Rollout[]): void;
  reject(components: Candidate, reason: Rejection["reason"], detail: string): void;
  /** Adds rejections made elsewhere. */
  refuse(rejections: readonly Rejection[]): void;
  /** The rollouts that components were decided on by, and those of the program as it is. */
  rolloutsOf(components: Candidate): readonly Rollout[];
  /** Rollouts in the order of the examples that judge. */
  inOrder(rollouts: readonly Rollout[]): readonly Rollout[];
  /** @param best by default, of all candidates */
  outcome(ending: Ending, best?: CandidateRecord): OptimizerOutcome;
}

/** Why a search ended, with further explanation. */
export type Ending = readonly [reason: StopReason, detail?: string | undefined];

/** Why the seed is a candidate. */
const startDetail = "What the search started from.";

/**
 * @param by names the search
 * @param panel ids of the examples of val that judge, in its order
 */
export function searchLog(
  by: string,
  { components: own, val }: Pick<SearchSpace, "components" | "val">,
  run: OptimizerRun,
  panel: readonly string[] = val,
): SearchLog {
  const candidates: CandidateRecord[] = [];
  const rejections: Rejection[] = [];
  const callsBefore = new Map<Candidate, number>();
  const decidedBy = new Map<Candidate, readonly Rollout[]>();
  const parents = Object.freeze([0]);
  let [iteration, acceptedBefore] = [0, 0];
  const changedIn = (components: Candidate): readonly Component[] =>
    components.filter((held, index) => held !== own[index]);
  const onPanel = (selection: Selection): Selection => onPart(selection, panel.length, val.length);
  const where = panel.length === val.length ? "on val" : `on ${panel.length} examples of val`;
  const recordOf = (
    components: Candidate,
    selection: Selection,
    acceptance: CandidateRecord["acceptance"],
  ): CandidateRecord => {
    const changed = changedIn(components);
    return {
      id: candidates.length,
      components,
      parents: candidates.length === 0 ? [] : parents,
      iteration,
      changed: changed.map(componentId),
      learntFrom: [...new Set(changed.flatMap(sourcesOf))],
      selection,
      acceptance,
      metricCallsBefore: callsBefore.get(components) ?? 0,
    };
  };
  const add = (record: CandidateRecord): void => {
    const candidate = deepFreeze(record);
    run.emit(acceptedEvent(candidate, candidates));
    candidates.push(candidate);
  };
  const refuse = (refused: readonly Rejection[]): void => {
    for (const one of refused) {
      const rejection = deepFreeze(one);
      rejections.push(rejection);
      run.emit({ kind: "candidate-refused", ...rejection });
    }
  };
  const reject: SearchLog["reject"] = (components, reason, detail) => {
    const changed = changedIn(components);
    const ids = changed.map(componentId);
    refuse([{ iteration, parents, components: ids, reason, detail, texts: textsOf(changed) }]);
  };
  const tellEvaluated = (evaluation: StepEvaluation, candidate: number | "proposed"): void =>
    run.emit(evaluatedEvent(evaluation, { iteration, candidate, split: "val" }));
  const tellSpent = (): void => run.emit({ kind: "budget-spent", iteration, ...run.spent });
  const inOrder: SearchLog["inOrder"] = (rollouts) => {
    const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
    return panel.flatMap((id) => byId.get(id) ?? []);
  };
  return {
    candidates,
    get iteration() {
      return iteration;
    },
    beginIteration: () => {
      acceptedBefore = candidates.length;
      run.emit({ kind: "iteration-start", iteration: ++iteration });
    },
    endIteration: () => {
      const accepted = Object.freeze(candidates.slice(acceptedBefore).map(({ id }) => id));
      run.emit({ kind: "iteration-end", iteration, accepted });
      if (accepted.length > 0) run.checkpoint();
    },
    seed: async (detail = startDetail) => {
      const request = { candidate: own, split: "val", exampleIds: panel } as const;
      const [rollouts = []] = await run.evaluate([request]);
      const evaluation = run.summarize("val", rollouts);
      tellEvaluated(evaluation, 0);
      tellSpent();
      decidedBy.set(own, rollouts);
      add(recordOf(own, onPanel(seedSelection(evaluation)), { by: "seed", detail }));
      run.checkpoint();
      return rollouts;
    },
    propose: (components) => {
      callsBefore.set(components, run.spent.metricCalls);
      const texts = Object.freeze(textsOf(changedIn(components)));
      run.emit({ kind: "candidate-proposed", iteration, parents, texts });
    },
    evaluated: (...lists) => {
      for (const rollouts of lists) tellEvaluated(run.summarize("val", rollouts), "proposed");
      tellSpent();
    },
    spent: tellSpent,
    accept: (components, selection, detail) => add(recordOf(components, selection, { by, detail })),
    decide: (components, rollouts) => {
      decidedBy.set(components, rollouts);
      const found = selectionOf(run.summarize("val", inOrder(rollouts)));
      if (found === null) {
        reject(components, "low-coverage", "Faults left too little of val to judge.");
        return;
      }
      const selection = onPanel(found);
      const detail = besideBest(selection, where, candidates);
      const record = recordOf(components, selection, { by, detail });
      // On another part of val, costs and objectives are of that part and compare with nothing.
      const isKept =
        selection.seen === candidates[0]?.selection.seen
          ? paretoFront([...candidates, record]).includes(record.id)
          : candidates.every((one) => selection.value > one.selection.value);
      if (isKept) add(record);
      else reject(components, "not-better-on-val", detail);
    },
    reject,
    refuse,
    rolloutsOf: (components) => decidedBy.get(components) ?? [],
    inOrder,
    outcome: ([reason, detail], best) => ({
      reason,
      ...(detail !== undefined && { detail }),
      candidates,
      rejections,
      best: best ?? (bestOf(candidates) as CandidateRecord),
    }),
  };
}

/**
 * What a search finds; `null` where a cap cut its work short. That work does not count; everything
 * before it does.
 */
export async function withinBudget<TFound>(search: () => Promise<TFound>): Promise<TFound | null> {
  try {
    return await search();
  } catch (error) {
    if (EspalierError.isInstance(error) && error.kind === "budget") return null;
    throw error;
  }
}

/** A selection that says so where it is of part of val alone. */
export function onPart(selection: Selection, seen: number, val: number): Selection {
  return seen === val ? selection : { ...selection, seen };
}

/** A sentence that sets a value beside the greatest before it. */
function besideBest(
  { value }: Selection,
  where: string,
  candidates: readonly CandidateRecord[],
): string {
  const best = Math.max(...candidates.map(({ selection }) => selection.value));
  return `${value.toFixed(4)} ${where}, where the best before has ${best.toFixed(4)}.`;
}

/** What changed, by component. Of demonstrations, ids: their texts are in the record. */
function textsOf(changed: readonly Component[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    changed.map((component) => [componentId(component), textOf(component)]),
  );
}

function textOf(component: Component): string {
  if (component.kind !== "demos") return componentText(component);
  const ids = sourcesOf(component).join(", ");
  return component.nearest ? `the ${component.nearest.k} nearest of ${ids}` : ids;
}

function sourcesOf(component: Component): readonly string[] {
  return component.kind === "demos" ? component.value.map(({ exampleId }) => exampleId) : [];
}

/** The event for rollouts of a candidate on a split. */
export function evaluatedEvent(
  { value, scores, coverage }: Pick<StepEvaluation, "value" | "scores" | "coverage">,
  at: {
    readonly iteration: number;
    readonly candidate: number | "proposed";
    readonly split: SplitName;
    /** @default 0 */
    readonly reused?: number;
  },
): OptimizerEvent {
  const { iteration, candidate, split, reused = 0 } = at;
  return {
    kind: "candidate-evaluated",
    iteration,
    candidate,
    split,
    value,
    scores,
    coverage,
    reused,
  };
}

/**
 * The event for a new candidate, frozen as stored. It carries the whole record, except that
 * components equal to the first parent's are left out.
 */
export function acceptedEvent(
  candidate: CandidateRecord,
  candidates: readonly CandidateRecord[],
): OptimizerEvent {
  const { id, iteration, parents, selection, components } = candidate;
  const before = candidates[parents[0] ?? -1]?.components ?? [];
  return {
    kind: "candidate-accepted",
    iteration,
    candidate: id,
    parents,
    value: selection.value,
    record: Object.freeze({
      ...candidate,
      components: Object.freeze(components.filter((held, index) => held !== before[index])),
    }),
  };
}
