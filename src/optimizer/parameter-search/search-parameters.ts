import type { Candidate } from "../../contract/index.ts";
import { bestOf } from "../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { Ending } from "../contract/search-log.ts";
import { searchLog, withinBudget } from "../contract/search-log.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import type { SettingsToTry } from "./settings-to-try.ts";
import type { Trial } from "./tpe/suggest-setting.ts";
import type { Setting } from "./tunable.ts";
import { withSetting } from "./tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { mean, sum } from "../../statistics/index.ts";

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
  const { val } = space;
  const { own, minibatchSize } = toTry;
  const log = searchLog("parameter-search", space, run);
  /** Settings with a score; a fault is none. */
  const tried: (Pick<Trial, "setting" | "value"> & { readonly scores: Scores })[] = [];
  const remember = (setting: Setting, evaluation: StepEvaluation): void => {
    const scores = scoresOf(evaluation);
    if (scores.size > 0) tried.push({ setting, scores, value: evaluation.value as number });
  };
  /** An objective that is not a mean of scores has seen all of val in each trial. */
  const trials = (): readonly Trial[] => {
    if (space.isMean === false) return tried;
    const values = trialValues(tried.map(({ scores }) => scores));
    return tried.map(({ setting }, index) => ({ setting, value: values[index] as number }));
  };

  remember(own, run.summarize("val", await log.seed()));
  const random = (index: number) => run.random("parameter-search", index);
  const ending = await withinBudget(async (): Promise<Ending> => {
    for (const setting of toTry.settings({ random, trials })) {
      if (!run.fits({ rollouts: val.length, reflectionCalls: 0 })) return ["budget"];
      const stopped = run.stopAsked();
      if (stopped !== null) return ["stopper", stopped];
      const components = withSetting(space.components, setting);
      log.beginIteration();
      log.propose(components);
      const { rollouts, behind } = await raceOnVal(components);
      remember(setting, run.summarize("val", log.inOrder(rollouts)));
      if (behind === null) log.decide(components, rollouts);
      else log.reject(components, "not-better-on-val", behind);
      log.endIteration();
    }
    return ["all-tried"];
  });
  return log.outcome(ending ?? ["budget"]);

  /**
   * Runs a setting on val, minibatch by minibatch in random order, as long as its mean is not below
   * the best candidate's on the same examples; `behind` says so, and is `null` if it ran on all of
   * val. An objective that is not a mean of scores says nothing on part of val, so it takes all of
   * it at once.
   */
  async function raceOnVal(
    candidate: Candidate,
  ): Promise<{ readonly rollouts: readonly Rollout[]; readonly behind: string | null }> {
    const best = bestOf(log.candidates) as CandidateRecord;
    const rollouts: Rollout[] = [];
    for (const exampleIds of minibatches()) {
      const [taken = []] = await run.evaluate([{ candidate, split: "val", exampleIds }]);
      rollouts.push(...taken);
      log.evaluated(taken);
      if (rollouts.length === val.length) break;
      const behind = behindText(run.summarize("val", log.inOrder(rollouts)), best, val.length);
      if (behind !== null) return { rollouts, behind };
    }
    return { rollouts, behind: null };
  }

  function minibatches(): readonly (readonly string[])[] {
    if (minibatchSize >= val.length || !run.summarize("val", []).isMean) return [val];
    const shuffled = run.random("validation", log.iteration).shuffle(val);
    return Array.from({ length: Math.ceil(val.length / minibatchSize) }, (_, index) =>
      shuffled.slice(index * minibatchSize, (index + 1) * minibatchSize),
    );
  }
}

/** Below this, means differ by the rounding of sums. */
const rounding = 1e-9;

/** Says that a mean is below the best one on the same examples; `null` where it is not. */
function behindText(
  evaluation: StepEvaluation,
  { selection }: CandidateRecord,
  val: number,
): string | null {
  const pairs = [...scoresOf(evaluation)].flatMap(([id, own]) => {
    const best = selection.scores[id] ?? null;
    return best === null ? [] : [{ own, best }];
  });
  const own = mean(pairs.map((pair) => pair.own));
  const best = mean(pairs.map((pair) => pair.best));
  if (pairs.length === 0 || own >= best - rounding) return null;
  return `${own.toFixed(4)} on ${pairs.length} of ${val} examples of val, where the best before has ${best.toFixed(4)}.`;
}

function scoresOf({ scores }: StepEvaluation): Scores {
  return new Map(
    Object.entries(scores).flatMap(([id, score]) => (score === null ? [] : [[id, score] as const])),
  );
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
