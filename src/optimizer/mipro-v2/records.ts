import { paretoFront } from "../candidate/candidate-measures.ts";
import type { Selection } from "../candidate/candidate-record.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { besideBest, searchLog } from "../contract/search-log.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import { seedSelection, selectionOf } from "../evaluation/index.ts";
import type { Trial } from "./trials.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Candidates and rejections, by trials. */
export interface Records {
  readonly log: SearchLog;
  seed(trial: Pick<Trial, "rollouts">): void;
  evaluated(rollouts: readonly Rollout[], candidate: number | "proposed"): void;
  /** Decides on a trial that was run on all examples that judge. */
  settle(trial: Trial): void;
  /** Rejects a trial that was run on some of them only. */
  leave(trial: Trial): void;
}

/** @param panel ids of the examples that judge, in the order of val */
export function startRecords(
  { components: own, val }: SearchSpace,
  run: OptimizerRun,
  panel: readonly string[],
): Records {
  const log = searchLog(run, own);
  const evaluation = ({ rollouts }: Pick<Trial, "rollouts">): StepEvaluation => {
    const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
    return run.summarize(
      "val",
      panel.flatMap((id) => byId.get(id) ?? []),
    );
  };
  const told = (selection: Selection): Selection =>
    panel.length === val.length ? selection : { ...selection, seen: panel.length };
  const { candidates } = log;
  return {
    log,
    seed: (trial) => log.seed(told(seedSelection(evaluation(trial)))),
    evaluated: (rollouts, candidate) => {
      log.evaluated(run.summarize("val", rollouts), candidate);
      log.spent();
    },
    settle: (trial) => {
      const { components, metricCallsBefore } = trial;
      const found = selectionOf(evaluation(trial));
      if (found === null) {
        log.reject(components, "low-coverage", "Faults left too little of val to judge.");
        return;
      }
      const on = panel.length === val.length ? "val" : `${panel.length} examples of val`;
      const detail = besideBest(found, `on ${on}`, candidates);
      const acceptance = { by: "mipro-v2", detail };
      const selection = told(found);
      const record = log.recordOf({ components, selection, acceptance, metricCallsBefore });
      if (paretoFront([...candidates, record]).includes(record.id)) log.add(record);
      else log.reject(components, "not-better-on-val", detail);
    },
    leave: (trial) => {
      const { value, scores } = evaluation(trial);
      const seen = Object.values(scores).filter((score) => score !== null).length;
      const detail =
        value === null
          ? "Faults left no score."
          : `${value.toFixed(4)} on ${seen} examples of val; others promised more, and were run on the rest.`;
      log.reject(trial.components, value === null ? "low-coverage" : "not-better-on-val", detail);
    },
  };
}
