import { EspalierError } from "../../errors/index.ts";
import { bestOf } from "../candidate/best-of.ts";
import { paretoFront } from "../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { seedSelection, selectionOf } from "../evaluation/index.ts";
import { raceOnVal } from "./race-on-val.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { besideBest, searchLog } from "../contract/search-log.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Setting } from "./setting.ts";
import { settingKey, withSetting } from "./setting.ts";
import type { SettingsToTry } from "./settings-to-try.ts";
import type { Trial } from "./tpe/joint-space.ts";
import type { Scores } from "./trial-values.ts";
import { trialValues } from "./trial-values.ts";

interface Search {
  readonly space: SearchSpace;
  readonly run: OptimizerRun;
  readonly minibatchSize: number;
  readonly log: SearchLog;
  readonly tried: Tried[];
}

/** A setting with a score; a fault is none. */
interface Tried {
  readonly setting: Setting;
  readonly scores: Scores;
  /** The objective; `null` if that is the mean of the scores. */
  readonly value: number | null;
}

/**
 * Evaluates one setting after the other on val. A setting becomes a candidate if it ran on all of
 * val, unless an earlier candidate matches or beats it in every measure; its parent is the original
 * program.
 */
export async function searchParameters(
  space: SearchSpace,
  run: OptimizerRun,
  toTry: SettingsToTry,
): Promise<OptimizerOutcome> {
  const { minibatchSize } = toTry;
  const log = searchLog(run, space.components);
  const search: Search = { space, run, minibatchSize, log, tried: [] };
  await evaluateSeed(search, toTry.own);
  const known = new Set([settingKey(space.components)]);
  const settings = toTry.settings({
    random: (index) => run.random("parameter-search", index),
    isKnown: (setting) => known.has(settingKey(withSetting(space.components, setting))),
    trials: () => trialsOf(search),
  });
  for (const setting of settings) {
    known.add(settingKey(withSetting(space.components, setting)));
    if (!run.fits({ rollouts: space.val.length, reflectionCalls: 0 })) {
      return outcome(search, "budget");
    }
    const stopped = run.stopAsked();
    if (stopped !== null) return { ...outcome(search, "stopper"), detail: stopped };
    try {
      await trySetting(search, setting);
    } catch (error) {
      // Work that a cap cut short does not count; everything before it does.
      if (EspalierError.isInstance(error) && error.kind === "budget") {
        return outcome(search, "budget");
      }
      throw error;
    }
  }
  return outcome(search, "all-tried");
}

function outcome(
  { log: { candidates, rejections } }: Search,
  reason: StopReason,
): OptimizerOutcome {
  const best = bestOf(candidates) as CandidateRecord;
  return { reason, candidates, refusals: rejections, best };
}

async function evaluateSeed(search: Search, setting: Setting): Promise<void> {
  const { space, log } = search;
  const { evaluation } = await raceOnVal(space.components, { ...search, candidate: 0 });
  remember(search, setting, evaluation);
  log.seed(seedSelection(evaluation));
}

async function trySetting(search: Search, setting: Setting): Promise<void> {
  const { space, run, log } = search;
  const components = withSetting(space.components, setting);
  const metricCallsBefore = run.spent.metricCalls;
  log.beginIteration();
  log.propose(components);
  const best = bestOf(log.candidates) as CandidateRecord;
  const race = { ...search, candidate: "proposed" as const, best };
  const { evaluation, behind } = await raceOnVal(components, race);
  remember(search, setting, evaluation);
  const selection = selectionOf(evaluation);
  if (behind !== null) {
    log.reject(components, "not-better-on-val", behind);
  } else if (selection === null) {
    log.reject(components, "low-coverage", "Faults left too little of val to judge.");
  } else {
    const detail = besideBest(selection, "on val", log.candidates);
    const acceptance = { by: "parameter-search", detail };
    const record = log.recordOf({ components, selection, acceptance, metricCallsBefore });
    if (paretoFront([...log.candidates, record]).includes(record.id)) log.add(record);
    else log.reject(components, "not-better-on-val", detail);
  }
  log.endIteration();
}

function remember({ tried }: Search, setting: Setting, evaluation: StepEvaluation): void {
  const scores = new Map(
    Object.entries(evaluation.scores).flatMap(([id, score]): (readonly [string, number])[] =>
      score === null ? [] : [[id, score]],
    ),
  );
  const { isMean, value } = evaluation;
  if (scores.size > 0) tried.push({ setting, scores, value: isMean ? null : value });
}

/** An objective that is not a mean of scores has seen all of val in each trial. */
function trialsOf({ tried }: Search): readonly Trial[] {
  const values = trialValues(tried.map(({ scores }) => scores));
  return tried.map(({ setting, value }, place) => ({
    setting,
    value: value ?? (values[place] as number),
  }));
}
