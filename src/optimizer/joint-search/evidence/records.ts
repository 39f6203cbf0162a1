import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { SearchLog } from "../../contract/search-log.ts";
import { onPart, searchLog, startDetail } from "../../contract/search-log.ts";
import type { CandidateRecord, Selection } from "../../candidate/candidate-record.ts";
import { seedSelection, selectionOf } from "../../evaluation/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Evidence, Trial } from "./evidence.ts";
import type { Configuration } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";

/** Candidates and rejections, by configurations. */
export interface Records {
  readonly log: SearchLog;
  propose(configuration: Configuration): void;
  /** Emits what the runs of a trial on each split come to. */
  evaluated(trial: Pick<Trial, "train" | "val">, candidate: number | "proposed"): void;
  /** The candidate of a configuration, made now unless there is one. */
  accept(configuration: Configuration): CandidateRecord;
  /** Emits new values of candidates that changed. */
  confirm(): void;
  configurationOf(candidate: CandidateRecord): Configuration;
}

export function startRecords(
  space: Pick<SearchSpace, "components" | "val">,
  run: OptimizerRun,
  { levers, evidence }: { readonly levers: Levers; readonly evidence: Evidence },
): Records {
  const log = searchLog(run, space);
  const { candidates } = log;
  const configurations: Configuration[] = [];
  /** An estimate from all runs of the search; scores and costs are those of its own. */
  const selectionNow = (configuration: Configuration): Selection => {
    const onVal = evidence.trialOf(configuration)?.val ?? [];
    const evaluation = run.summarize("val", onVal);
    const ofOwn = selectionOf(evaluation) ?? {
      scores: evaluation.scores,
      coverage: evaluation.coverage,
    };
    if (!evaluation.isMean) {
      const measured =
        candidates.length === 0
          ? seedSelection(evaluation)
          : { value: evaluation.value ?? 0, ...ofOwn };
      return onPart(measured, onVal.length, space.val.length);
    }
    return { ...ofOwn, value: evidence.valueOf(configuration), seen: onVal.length };
  };
  return {
    log,
    propose: (configuration) => log.propose(levers.candidateOf(configuration)),
    evaluated: (trial, candidate) => {
      for (const split of ["train", "val"] as const) {
        if (trial[split].length === 0) continue;
        log.evaluated(run.summarize(split, trial[split]), candidate, split);
      }
      log.spent();
    },
    accept: (configuration) => {
      const known = configurations.findIndex(
        (one) => configurationKey(one) === configurationKey(configuration),
      );
      if (known >= 0) return candidates[known] as CandidateRecord;
      if (candidates.length > 0) evidence.setApart(configuration);
      const { mean, deviation } = evidence.gain(configuration, levers.initial);
      const record = log.recordOf({
        components: levers.candidateOf(configuration),
        selection: selectionNow(configuration),
        acceptance:
          candidates.length === 0
            ? { by: "seed", detail: startDetail }
            : {
                by: "joint-search",
                detail: `Expected to bring ${mean.toFixed(4)} over the seed, with a standard deviation of ${deviation.toFixed(4)}${basisOf(evidence)}.`,
              },
        metricCallsBefore:
          evidence.trialOf(configuration)?.metricCallsBefore ?? run.spent.metricCalls,
      });
      log.add(record);
      configurations.push(configuration);
      return record;
    },
    confirm: () => {
      for (const [id, configuration] of configurations.entries()) {
        const selection = selectionNow(configuration);
        const { selection: before } = candidates[id] as CandidateRecord;
        if (JSON.stringify(before) !== JSON.stringify(selection)) log.confirm(id, selection);
      }
    },
    configurationOf: ({ id }) => configurations[id] ?? levers.initial,
  };
}

/** What an estimate rests on. */
function basisOf({ isModelBelieved, quality }: Evidence): string {
  if (!isModelBelieved) {
    return ", by its own runs alone: such runs predict each other better than the model does";
  }
  if (quality === null) return "";
  const percent = Math.round(100 * quality);
  const explained = percent > 0 ? `${percent} %` : "none";
  return `; the model explains ${explained} of the gains of configurations held out from it`;
}
