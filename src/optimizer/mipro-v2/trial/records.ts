import type { Component } from "../../../contract/index.ts";
import { componentId, deepFreeze } from "../../../internal/index.ts";
import { paretoFront } from "../../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection, Selection } from "../../candidate/candidate-record.ts";
import { componentText } from "../../candidate/component-text.ts";
import { acceptedEvent } from "../../contract/accepted-event.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import { seedSelection, selectionOf } from "../../evaluation/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Trial } from "./trials.ts";

/** Candidates and rejections, as the journal and the outcome hold them. */
export interface Records {
  readonly candidates: readonly CandidateRecord[];
  readonly rejections: readonly Rejection[];
  readonly iteration: number;
  beginIteration(): void;
  endIteration(): void;
  seed(trial: Pick<Trial, "rollouts">): void;
  propose(trial: Pick<Trial, "components">): void;
  evaluated(rollouts: readonly Rollout[], candidate: number | "proposed"): void;
  spent(): void;
  /** Decides on a trial that was run on all examples that judge. */
  settle(trial: Trial): void;
  /** Rejects a trial that was run on some of them only. */
  leave(trial: Trial): void;
  refuse(rejections: readonly Rejection[]): void;
}

/** @param panel ids of the examples that judge, in the order of val */
export function startRecords(
  { components: own, val }: SearchSpace,
  run: OptimizerRun,
  panel: readonly string[],
): Records {
  const candidates: CandidateRecord[] = [];
  const rejections: Rejection[] = [];
  const parents = Object.freeze([0]);
  let iteration = 0;
  let acceptedBefore = 0;

  const changedIn = ({ components }: Pick<Trial, "components">): readonly Component[] =>
    components.filter((held, place) => held !== own[place]);
  const evaluation = ({ rollouts }: Pick<Trial, "rollouts">): StepEvaluation => {
    const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
    return run.summarize(
      "val",
      panel.flatMap((id) => byId.get(id) ?? []),
    );
  };
  const told = (selection: Selection): Selection =>
    panel.length === val.length ? selection : { ...selection, seen: panel.length };
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
  const reject = (trial: Trial, reason: Rejection["reason"], detail: string): void => {
    const changed = changedIn(trial);
    const components = changed.map(componentId);
    refuse([{ iteration, parents, components, reason, detail, texts: textsOf(changed) }]);
  };
  const spent = (): void => run.emit({ kind: "budget-spent", iteration, ...run.spent });
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
    seed: (trial) => {
      add({
        id: 0,
        components: own,
        parents: [],
        iteration: 0,
        changed: [],
        learntFrom: [],
        selection: told(seedSelection(evaluation(trial))),
        acceptance: { by: "seed", detail: "What the search started from." },
        metricCallsBefore: 0,
      });
      run.checkpoint();
    },
    propose: (trial) => {
      const texts = Object.freeze(textsOf(changedIn(trial)));
      run.emit({ kind: "candidate-proposed", iteration, parents, texts });
    },
    evaluated: (rollouts, candidate) => {
      const { value, scores, coverage } = run.summarize("val", rollouts);
      const figures = { value, scores, coverage, inherited: 0 };
      run.emit({ kind: "candidate-evaluated", iteration, candidate, split: "val", ...figures });
      spent();
    },
    spent,
    refuse,
    settle: (trial) => {
      const found = selectionOf(evaluation(trial));
      if (found === null) {
        reject(trial, "low-coverage", "Faults left too little of val to judge.");
        return;
      }
      const changed = changedIn(trial);
      const best = Math.max(...candidates.map(({ selection }) => selection.value));
      const on = panel.length === val.length ? "val" : `${panel.length} examples of val`;
      const detail = `${found.value.toFixed(4)} on ${on}, where the best before has ${best.toFixed(4)}.`;
      const record: CandidateRecord = {
        id: candidates.length,
        components: trial.components,
        parents,
        iteration,
        changed: changed.map(componentId),
        learntFrom: [...new Set(changed.flatMap(sourcesOf))],
        selection: told(found),
        acceptance: { by: "mipro-v2", detail },
        metricCallsBefore: trial.metricCallsBefore,
      };
      if (paretoFront([...candidates, record]).includes(record.id)) add(record);
      else reject(trial, "not-better-on-val", detail);
    },
    leave: (trial) => {
      const { value, scores } = evaluation(trial);
      const seen = Object.values(scores).filter((score) => score !== null).length;
      const detail =
        value === null
          ? "Faults left no score."
          : `${value.toFixed(4)} on ${seen} examples of val; others promised more, and were run on the rest.`;
      reject(trial, value === null ? "low-coverage" : "not-better-on-val", detail);
    },
  };
}

/** Ids of the examples shown, instructions and values; their texts are in the record. */
function textsOf(changed: readonly Component[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    changed.map((component) => [
      componentId(component),
      component.kind === "demos" ? sourcesOf(component).join(", ") : componentText(component),
    ]),
  );
}

function sourcesOf(component: Component): readonly string[] {
  return component.kind === "demos" ? component.value.map(({ exampleId }) => exampleId) : [];
}
