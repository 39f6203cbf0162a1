import { EspalierError } from "../../errors/index.ts";
import { componentId, deepFreeze } from "../../internal/index.ts";
import { acceptedEvent } from "../contract/accepted-event.ts";
import { bestOf } from "../candidate/best-of.ts";
import { paretoFront } from "../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection, Selection } from "../candidate/candidate-record.ts";
import { componentText } from "../candidate/component-text.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { seedSelection, selectionOf } from "../evaluation/index.ts";
import { raceOnVal } from "./race-on-val.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
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
  readonly candidates: CandidateRecord[];
  readonly rejections: Rejection[];
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
  const search: Search = { space, run, minibatchSize, candidates: [], rejections: [], tried: [] };
  await evaluateSeed(search, toTry.own);
  const known = new Set([settingKey(space.components)]);
  const settings = toTry.settings({
    random: (index) => run.random("parameter-search", index),
    isKnown: (setting) => known.has(settingKey(withSetting(space.components, setting))),
    trials: () => trialsOf(search),
  });
  let iteration = 0;
  for (const setting of settings) {
    known.add(settingKey(withSetting(space.components, setting)));
    if (!run.fits({ rollouts: space.val.length, reflectionCalls: 0 })) {
      return outcome(search, "budget");
    }
    try {
      await trySetting(search, setting, ++iteration);
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

function outcome({ candidates, rejections }: Search, reason: StopReason): OptimizerOutcome {
  const best = bestOf(candidates) as CandidateRecord;
  return { reason, candidates, refusals: rejections, best };
}

async function evaluateSeed(search: Search, setting: Setting): Promise<void> {
  const { space, run } = search;
  const { evaluation } = await raceOnVal(space.components, {
    ...search,
    candidate: 0,
    iteration: 0,
  });
  remember(search, setting, evaluation);
  addCandidate(search, {
    id: 0,
    components: space.components,
    parents: [],
    iteration: 0,
    changed: [],
    learntFrom: [],
    selection: seedSelection(evaluation),
    acceptance: { by: "seed", detail: "What the search started from." },
    metricCallsBefore: 0,
  });
  run.checkpoint();
}

async function trySetting(search: Search, setting: Setting, iteration: number): Promise<void> {
  const { space, run, candidates } = search;
  const components = withSetting(space.components, setting);
  const changed = components.filter((held, place) => held !== space.components[place]);
  const parents = Object.freeze([0]);
  const texts = Object.freeze(
    Object.fromEntries(changed.map((held) => [componentId(held), componentText(held)])),
  );
  const metricCallsBefore = run.spent.metricCalls;
  const before = candidates.length;
  run.emit({ kind: "iteration-start", iteration });
  run.emit({ kind: "candidate-proposed", iteration, parents, texts });
  const best = bestOf(candidates) as CandidateRecord;
  const race = { ...search, candidate: "proposed" as const, iteration, best };
  const { evaluation, behind } = await raceOnVal(components, race);
  remember(search, setting, evaluation);
  const selection = selectionOf(evaluation);
  const reject = (reason: Rejection["reason"], detail: string): void => {
    const rejection: Rejection = deepFreeze({
      iteration,
      parents,
      components: changed.map(componentId),
      reason,
      detail,
      texts,
    });
    search.rejections.push(rejection);
    run.emit({ kind: "candidate-refused", ...rejection });
  };
  if (behind !== null) {
    reject("not-better-on-val", behind);
  } else if (selection === null) {
    reject("low-coverage", "Faults left too little of val to judge.");
  } else {
    const record: CandidateRecord = {
      id: candidates.length,
      components,
      parents,
      iteration,
      changed: changed.map(componentId),
      learntFrom: [],
      selection,
      acceptance: { by: "parameter-search", detail: gainText(selection, candidates) },
      metricCallsBefore,
    };
    if (paretoFront([...candidates, record]).includes(record.id)) addCandidate(search, record);
    else reject("not-better-on-val", gainText(selection, candidates));
  }
  const accepted = Object.freeze(candidates.slice(before).map(({ id }) => id));
  run.emit({ kind: "iteration-end", iteration, accepted });
  if (accepted.length > 0) run.checkpoint();
}

function addCandidate({ run, candidates }: Search, record: CandidateRecord): void {
  const candidate = deepFreeze(record);
  run.emit(acceptedEvent(candidate, candidates));
  candidates.push(candidate);
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

function gainText({ value }: Selection, candidates: readonly CandidateRecord[]): string {
  const best = Math.max(...candidates.map(({ selection }) => selection.value));
  return `${value.toFixed(4)} on val, where the best before has ${best.toFixed(4)}.`;
}
