import type { OptimizerRun } from "../../contract/optimizer.ts";
import { acceptedEvent } from "../../contract/accepted-event.ts";
import { componentId, deepFreeze } from "../../../internal/index.ts";
import type { CandidateRecord, Rejection, Selection } from "../../candidate/candidate-record.ts";
import { componentText } from "../../candidate/component-text.ts";
import { seedSelection, selectionOf } from "../../evaluation/index.ts";
import type { Evidence, Trial } from "./evidence.ts";
import type { Configuration } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";

/** Candidates and rejections, as the journal and the outcome hold them. */
export interface Records {
  readonly candidates: readonly CandidateRecord[];
  readonly rejections: readonly Rejection[];
  readonly iteration: number;
  beginIteration(): void;
  endIteration(): void;
  propose(configuration: Configuration): void;
  /** Emits what the runs of a trial on each split come to. */
  evaluated(trial: Pick<Trial, "train" | "val">, candidate: number | "proposed"): void;
  refuse(rejections: readonly Rejection[]): void;
  /** Makes a configuration a candidate, unless it is one. */
  accept(configuration: Configuration): void;
  /** Emits new values of candidates that changed. */
  confirm(): void;
  configurationOf(candidate: CandidateRecord): Configuration;
}

export function startRecords(
  run: OptimizerRun,
  { levers, evidence }: { readonly levers: Levers; readonly evidence: Evidence },
): Records {
  const candidates: CandidateRecord[] = [];
  const rejections: Rejection[] = [];
  const configurations: Configuration[] = [];
  let iteration = 0;
  let acceptedBefore = 0;
  const initialKeys = levers.initial.map(({ key }) => key);
  const changedIn = (configuration: Configuration) =>
    configuration.flatMap(({ key, component }, at) => (key === initialKeys[at] ? [] : [component]));
  /** An estimate from all runs of the search; scores and costs are those of its own. */
  const selectionNow = (configuration: Configuration): Selection => {
    const onVal = evidence.trialOf(configuration)?.val ?? [];
    const evaluation = run.summarize("val", onVal);
    const own = selectionOf(evaluation) ?? {
      scores: evaluation.scores,
      coverage: evaluation.coverage,
    };
    if (!evaluation.isMean)
      return candidates.length === 0
        ? seedSelection(evaluation)
        : { value: evaluation.value ?? 0, ...own };
    return { ...own, value: evidence.valueOf(configuration), seen: onVal.length };
  };
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
    propose: (configuration) => {
      const texts = Object.freeze(
        Object.fromEntries(
          changedIn(configuration).map((component) => [
            componentId(component),
            component.kind === "demos"
              ? component.value.map(({ exampleId }) => exampleId).join(", ")
              : componentText(component),
          ]),
        ),
      );
      run.emit({ kind: "candidate-proposed", iteration, parents: Object.freeze([0]), texts });
    },
    evaluated: (trial, candidate) => {
      for (const split of ["train", "val"] as const) {
        if (trial[split].length === 0) continue;
        const { value, scores, coverage } = run.summarize(split, trial[split]);
        run.emit({
          kind: "candidate-evaluated",
          iteration,
          candidate,
          split,
          value,
          scores,
          coverage,
          inherited: 0,
        });
      }
      run.emit({ kind: "budget-spent", iteration, ...run.spent });
    },
    refuse: (refused) => {
      for (const one of refused) {
        const rejection = deepFreeze(one);
        rejections.push(rejection);
        run.emit({ kind: "candidate-refused", ...rejection });
      }
    },
    accept: (configuration) => {
      const known = configurations.some(
        (one) => configurationKey(one) === configurationKey(configuration),
      );
      if (known) return;
      if (candidates.length > 0) evidence.setApart(configuration);
      const { mean, deviation } = evidence.gain(configuration, levers.initial);
      const id = candidates.length;
      const changed = changedIn(configuration);
      const record: CandidateRecord = deepFreeze({
        id,
        components: levers.candidateOf(configuration),
        parents: id === 0 ? [] : [0],
        iteration,
        changed: changed.map(componentId),
        learntFrom: changed.flatMap((component) =>
          component.kind === "demos" ? component.value.map(({ exampleId }) => exampleId) : [],
        ),
        selection: selectionNow(configuration),
        acceptance:
          id === 0
            ? { by: "seed", detail: "What the search started from." }
            : {
                by: "joint-search",
                detail: `Expected to bring ${mean.toFixed(4)} over the seed, with a standard deviation of ${deviation.toFixed(4)}${basisOf(evidence.quality)}.`,
              },
        metricCallsBefore:
          evidence.trialOf(configuration)?.metricCallsBefore ?? run.spent.metricCalls,
      });
      run.emit(acceptedEvent(record, candidates));
      candidates.push(record);
      configurations.push(configuration);
    },
    confirm: () => {
      for (const [id, configuration] of configurations.entries()) {
        const selection = deepFreeze(selectionNow(configuration));
        const before = candidates[id] as CandidateRecord;
        if (JSON.stringify(before.selection) === JSON.stringify(selection)) continue;
        candidates[id] = Object.freeze({ ...before, selection });
        run.emit({ kind: "candidate-confirmed", iteration, candidate: id, selection });
      }
    },
    configurationOf: ({ id }) => configurations[id] ?? levers.initial,
  };
}

/** What an estimate rests on. */
function basisOf(quality: number | null): string {
  if (quality === null) return "";
  if (quality <= 0)
    return ", by its own runs alone: the model does not predict configurations held out from it";
  return `; the model explains ${Math.round(100 * quality)} % of the gains of configurations held out from it`;
}
