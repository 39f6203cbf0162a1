import type { Candidate, Component, SplitName } from "../../contract/index.ts";
import { componentId, deepFreeze } from "../../internal/index.ts";
import { paretoFront } from "../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection, Selection } from "../candidate/candidate-record.ts";
import { componentText } from "../candidate/components.ts";
import type { OptimizerEvent } from "./optimizer-event.ts";
import type { OptimizerRun } from "./optimizer.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import { seedSelection } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * Candidates and rejections of a search whose candidates all come from the program as it is, and
 * the events that tell of them.
 */
export interface SearchLog {
  /** The program as it is comes first. */
  readonly candidates: readonly CandidateRecord[];
  readonly rejections: readonly Rejection[];
  /** The one that began last; 0 before any. */
  readonly iteration: number;
  beginIteration(): void;
  /** Makes a checkpoint if the iteration added candidates. */
  endIteration(): void;
  /** Evaluates the program as it is on examples of val, adds it, and makes a checkpoint. */
  seed(how?: {
    /** @default all */
    readonly exampleIds?: readonly string[];
    /** Why it is a candidate. */
    readonly detail?: string;
  }): Promise<readonly Rollout[]>;
  propose(components: Candidate): void;
  evaluated(
    evaluation: Pick<StepEvaluation, "value" | "scores" | "coverage">,
    candidate: number | "proposed",
    split?: SplitName,
  ): void;
  /** Tells what the run has spent so far. */
  spent(): void;
  /** The record that a candidate added now would have. */
  recordOf(found: Found): CandidateRecord;
  add(record: CandidateRecord): void;
  /**
   * Decides on proposed components: they become a candidate unless an earlier one matches or beats
   * them in every measure, or in value where they were not run on the same examples.
   */
  decide(components: Candidate, judged: Judged): void;
  reject(components: Candidate, reason: Rejection["reason"], detail: string): void;
  /** Adds rejections made elsewhere. */
  refuse(rejections: readonly Rejection[]): void;
}

/** A candidate, as a search found it. */
type Found = Pick<CandidateRecord, "components" | "selection" | "acceptance" | "metricCallsBefore">;

interface Judged {
  /** `null`: faults left too little of val to judge. */
  readonly selection: Selection | null;
  /** Names the search. */
  readonly by: string;
  /** Follows the value in a sentence. */
  readonly where: string;
}

/** Why the seed is a candidate. */
const startDetail = "What the search started from.";

export function searchLog(
  run: OptimizerRun,
  { components: own, val }: Pick<SearchSpace, "components" | "val">,
): SearchLog {
  const candidates: CandidateRecord[] = [];
  const rejections: Rejection[] = [];
  const callsBefore = new Map<Candidate, number>();
  const parents = Object.freeze([0]);
  let [iteration, acceptedBefore] = [0, 0];
  const changedIn = (components: Candidate): readonly Component[] =>
    components.filter((held, index) => held !== own[index]);
  const recordOf = ({ components, ...found }: Found): CandidateRecord => {
    const changed = changedIn(components);
    return {
      id: candidates.length,
      components,
      parents: candidates.length === 0 ? [] : parents,
      iteration,
      changed: changed.map(componentId),
      learntFrom: [...new Set(changed.flatMap(sourcesOf))],
      ...found,
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
  const tellEvaluated: SearchLog["evaluated"] = (evaluation, candidate, split = "val") =>
    run.emit(evaluatedEvent(evaluation, { iteration, candidate, split }));
  const tellSpent = (): void => run.emit({ kind: "budget-spent", iteration, ...run.spent });
  return {
    candidates,
    rejections,
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
    seed: async ({ exampleIds = val, detail = startDetail } = {}) => {
      const [rollouts = []] = await run.evaluate([{ candidate: own, split: "val", exampleIds }]);
      const evaluation = run.summarize("val", rollouts);
      tellEvaluated(evaluation, 0);
      tellSpent();
      const selection = onPart(seedSelection(evaluation), exampleIds.length, val.length);
      const acceptance = { by: "seed", detail };
      add(recordOf({ components: own, selection, acceptance, metricCallsBefore: 0 }));
      run.checkpoint();
      return rollouts;
    },
    propose: (components) => {
      callsBefore.set(components, run.spent.metricCalls);
      const texts = Object.freeze(textsOf(changedIn(components)));
      run.emit({ kind: "candidate-proposed", iteration, parents, texts });
    },
    evaluated: tellEvaluated,
    spent: tellSpent,
    recordOf,
    add,
    decide: (components, { selection, by, where }) => {
      if (selection === null) {
        reject(components, "low-coverage", "Faults left too little of val to judge.");
        return;
      }
      const detail = besideBest(selection, where, candidates);
      const metricCallsBefore = callsBefore.get(components) ?? 0;
      const acceptance = { by, detail };
      const record = recordOf({ components, selection, acceptance, metricCallsBefore });
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
  };
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
