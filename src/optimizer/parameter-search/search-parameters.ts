import type { Candidate } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { bestOf } from "../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { searchLog } from "../contract/search-log.ts";
import type { StepEvaluation, Rollout } from "../evaluation/index.ts";
import { selectionOf } from "../evaluation/index.ts";
import type { SettingsToTry } from "./settings-to-try.ts";
import type { Trial } from "./tpe/suggest-setting.ts";
import type { Setting } from "./tunable.ts";
import { settingKey, withSetting } from "./tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { mean, sum } from "../../statistics/index.ts";

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
  const log = searchLog(run, space);
  const search: Search = { space, run, minibatchSize, log, tried: [] };
  remember(search, toTry.own, run.summarize("val", await log.seed()));
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
  return { reason, candidates, rejections, best };
}

async function trySetting(search: Search, setting: Setting): Promise<void> {
  const { space, log } = search;
  const components = withSetting(space.components, setting);
  log.beginIteration();
  log.propose(components);
  const { evaluation, behind } = await raceOnVal(components, search);
  remember(search, setting, evaluation);
  if (behind === null) {
    const selection = selectionOf(evaluation);
    log.decide(components, { selection, by: "parameter-search", where: "on val" });
  } else log.reject(components, "not-better-on-val", behind);
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
  return tried.map(({ setting, value }, index) => ({
    setting,
    value: value ?? (values[index] as number),
  }));
}

/** A setting's results on val, or on the part of it that showed it behind. */
interface RaceResult {
  readonly evaluation: StepEvaluation;
  /** A sentence; `null` if it ran on all of val. */
  readonly behind: string | null;
}

/**
 * Runs a setting on val, minibatch by minibatch in random order, as long as its mean is not below
 * the best candidate's on the same examples. An objective that is not a mean of scores says nothing
 * on part of val, so it takes all of it at once.
 */
async function raceOnVal(components: Candidate, search: Search): Promise<RaceResult> {
  const { run, space, log } = search;
  const best = bestOf(log.candidates) as CandidateRecord;
  const rollouts = new Map<string, Rollout>();
  const evaluated = (): StepEvaluation =>
    run.summarize(
      "val",
      space.val.flatMap((id) => rollouts.get(id) ?? []),
    );
  for (const exampleIds of minibatchesOf(search)) {
    const request = { candidate: components, split: "val" as const, exampleIds };
    const [taken = []] = await run.evaluate([request]);
    for (const rollout of taken) rollouts.set(rollout.exampleId, rollout);
    log.evaluated(run.summarize("val", taken), "proposed");
    log.spent();
    if (rollouts.size === space.val.length) break;
    const evaluation = evaluated();
    const behind = behindText(evaluation, best, space.val.length);
    if (behind !== null) return { evaluation, behind };
  }
  return { evaluation: evaluated(), behind: null };
}

function minibatchesOf({
  run,
  space: { val },
  log: { iteration },
  minibatchSize,
}: Search): readonly (readonly string[])[] {
  if (minibatchSize >= val.length || !run.summarize("val", []).isMean) return [val];
  const shuffled = run.random("validation", iteration).shuffle(val);
  return Array.from({ length: Math.ceil(val.length / minibatchSize) }, (_, index) =>
    shuffled.slice(index * minibatchSize, (index + 1) * minibatchSize),
  );
}

/** Below this, means differ by the rounding of sums. */
const rounding = 1e-9;

function behindText(
  { scores }: StepEvaluation,
  { selection }: CandidateRecord,
  val: number,
): string | null {
  const own: number[] = [];
  const other: number[] = [];
  for (const [id, score] of Object.entries(scores)) {
    const best = selection.scores[id] ?? null;
    if (score === null || best === null) continue;
    own.push(score);
    other.push(best);
  }
  if (own.length === 0 || mean(own) >= mean(other) - rounding) return null;
  return `${mean(own).toFixed(4)} on ${own.length} of ${val} examples of val, where the best before has ${mean(other).toFixed(4)}.`;
}

/** Scores by example; examples without a score, as after a fault, are left out. */
type Scores = ReadonlyMap<string, number>;

/**
 * What each setting seems worth, on a scale of its own: results on few examples count for less than
 * results on many.
 *
 * The gain of a setting is the mean, over the examples it has scores on, of its score less the mean
 * of all settings on that example, so that easy examples favour no setting. It is multiplied by its
 * reliability `t / (t + s / n)`, the empirical Bayes estimate: `n` examples, the variance `s` of
 * scores around their settings' gains, and the variance `t` of true gains, by the method of
 * moments. Where all have scores on the same examples, the order is that of their means.
 *
 * @param settings each with a score
 */
export function trialValues(settings: readonly Scores[]): readonly number[] {
  const byExample = new Map<string, number[]>();
  for (const scores of settings) {
    for (const [id, score] of scores) {
      const known = byExample.get(id);
      if (known === undefined) byExample.set(id, [score]);
      else known.push(score);
    }
  }
  const means = new Map([...byExample].map(([id, scores]) => [id, mean(scores)]));
  const excesses = settings.map((scores) =>
    [...scores].map(([id, score]) => score - (means.get(id) as number)),
  );
  const gains = excesses.map(mean);
  const squares = sum(
    excesses.flatMap((own, index) => own.map((one) => (one - (gains[index] as number)) ** 2)),
  );
  const count = sum(excesses.map(({ length }) => length));
  const free = count - settings.length - byExample.size + 1;
  const noise = squares / Math.max(1, free);
  const center = mean(gains);
  const spread = sum(gains.map((gain) => (gain - center) ** 2)) / Math.max(1, gains.length - 1);
  const ofNoise = mean(excesses.map(({ length }) => noise / length));
  // However alike they look, results on more examples count for more.
  const signal = Math.max(spread - ofNoise, noise / byExample.size);
  return excesses.map((own, index) => {
    const gain = gains[index] as number;
    return noise === 0 ? gain : (gain * signal) / (signal + noise / own.length);
  });
}
