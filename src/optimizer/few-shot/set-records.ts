import type { Candidate, Component } from "../../contract/index.ts";
import { componentId, deepFreeze } from "../../internal/index.ts";
import { paretoFront } from "../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection, Selection } from "../candidate/candidate-record.ts";
import { acceptedEvent } from "../contract/accepted-event.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";
import { seedSelection, selectionOf } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Candidates and rejections of one search, and the events that tell of them. */
export interface SetRecords {
  readonly candidates: readonly CandidateRecord[];
  readonly rejections: readonly Rejection[];
  /** Evaluates the program as it is on all of val. */
  evaluateSeed(): Promise<readonly Rollout[]>;
  /** Gain over the seed on the examples that both have scores of; 0 without any. */
  gainOf(rollouts: readonly Rollout[]): number;
  propose(iteration: number, components: Candidate): void;
  noteEvaluation(iteration: number, rollouts: readonly Rollout[]): void;
  /** Decides on components run on all of val, or on so much of it as the budget allowed. */
  settle(iteration: number, components: Candidate, rollouts: readonly Rollout[]): void;
  reject(
    iteration: number,
    components: Candidate,
    reason: Rejection["reason"],
    detail: string,
  ): void;
}

export function setRecords(space: SearchSpace, run: OptimizerRun): SetRecords {
  const candidates: CandidateRecord[] = [];
  const rejections: Rejection[] = [];
  let ofSeed = new Map<string, Rollout>();
  const callsBefore = new Map<number, number>();
  const parents = Object.freeze([0]);
  const changedIn = (components: Candidate): readonly Component[] =>
    components.filter((held, place) => held !== space.components[place]);
  const add = (record: CandidateRecord): void => {
    const candidate = deepFreeze(record);
    run.emit(acceptedEvent(candidate, candidates));
    candidates.push(candidate);
  };
  const noteOf = (
    candidate: number | "proposed",
    iteration: number,
    rollouts: readonly Rollout[],
  ): void => {
    const { value, scores, coverage } = run.summarize("val", rollouts);
    const figures = { value, scores, coverage, inherited: 0 };
    run.emit({ kind: "candidate-evaluated", iteration, candidate, split: "val", ...figures });
  };
  const gainOf: SetRecords["gainOf"] = (rollouts) => {
    const scored = rollouts.filter(
      ({ exampleId, score }) =>
        score.kind === "scored" && ofSeed.get(exampleId)?.score.kind === "scored",
    );
    const before = scored.flatMap(({ exampleId }) => ofSeed.get(exampleId) ?? []);
    const valueOf = (of: readonly Rollout[]): number => run.summarize("val", of).value ?? 0;
    return scored.length === 0 ? 0 : valueOf(scored) - valueOf(before);
  };
  const reject: SetRecords["reject"] = (iteration, components, reason, detail) => {
    const changed = changedIn(components);
    const rejection: Rejection = deepFreeze({
      iteration,
      parents,
      components: changed.map(componentId),
      reason,
      detail,
      texts: textsOf(changed),
    });
    rejections.push(rejection);
    run.emit({ kind: "candidate-refused", ...rejection });
  };
  return {
    candidates,
    rejections,
    gainOf,
    reject,
    evaluateSeed: async () => {
      const [rollouts = []] = await run.evaluate([
        { candidate: space.components, split: "val", exampleIds: space.val },
      ]);
      ofSeed = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
      noteOf(0, 0, rollouts);
      run.emit({ kind: "budget-spent", iteration: 0, ...run.spent });
      add({
        id: 0,
        components: space.components,
        parents: [],
        iteration: 0,
        changed: [],
        learntFrom: [],
        selection: seedSelection(run.summarize("val", rollouts)),
        acceptance: { by: "seed", detail: "What the search started from." },
        metricCallsBefore: 0,
      });
      run.checkpoint();
      return rollouts;
    },
    propose: (iteration, components) => {
      callsBefore.set(iteration, run.spent.metricCalls);
      const texts = Object.freeze(textsOf(changedIn(components)));
      run.emit({ kind: "candidate-proposed", iteration, parents, texts });
    },
    noteEvaluation: (iteration, rollouts) => noteOf("proposed", iteration, rollouts),
    settle: (iteration, components, rollouts) => {
      const inOrder = inOrderOf(space.val, rollouts);
      const selection = selectionOf(run.summarize("val", inOrder));
      if (selection === null) {
        reject(iteration, components, "low-coverage", "Faults left too little of val to judge.");
        return;
      }
      const changed = changedIn(components);
      const record: CandidateRecord = {
        id: candidates.length,
        components,
        parents,
        iteration,
        changed: changed.map(componentId),
        learntFrom: [...new Set(changed.flatMap(sourcesOf))],
        selection: estimated(selection, inOrder.length),
        acceptance: { by: "few-shot", detail: "" },
        metricCallsBefore: callsBefore.get(iteration) ?? 0,
      };
      const { value } = record.selection;
      const best = Math.max(...candidates.map((candidate) => candidate.selection.value));
      const part =
        inOrder.length === space.val.length ? "on val" : `by ${inOrder.length} examples of val`;
      const detail = `${value.toFixed(4)} ${part}, where the best before has ${best.toFixed(4)}.`;
      const told = { ...record, acceptance: { by: "few-shot", detail } };
      // On part of val, costs and objectives are of that part and compare with nothing.
      const isKept =
        record.selection.seen === undefined
          ? paretoFront([...candidates, told]).includes(told.id)
          : value > best;
      if (isKept) add(told);
      else reject(iteration, components, "not-better-on-val", detail);

      function estimated(found: Selection, seen: number): Selection {
        if (seen === space.val.length) return found;
        const seedValue = candidates[0]?.selection.value ?? 0;
        return { ...found, value: seedValue + gainOf(inOrder), seen };
      }
    },
  };
}

/** Ids of the examples shown, which tell a set; their texts are in the record. */
function textsOf(changed: readonly Component[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    changed.map((component) => {
      const nearest = component.kind === "demos" ? component.nearest : undefined;
      const ids = sourcesOf(component).join(", ");
      return [componentId(component), nearest ? `the ${nearest.k} nearest of ${ids}` : ids];
    }),
  );
}

function sourcesOf(component: Component): readonly string[] {
  return component.kind === "demos" ? component.value.map(({ exampleId }) => exampleId) : [];
}

function inOrderOf(ids: readonly string[], rollouts: readonly Rollout[]): readonly Rollout[] {
  const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
