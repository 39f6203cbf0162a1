import type { RandomSource } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import { bestOf } from "../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { neverInvoked } from "../candidate/components.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import { bestSupported } from "../demonstrations/index.ts";
import type { Setting } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Choice, Dimensions } from "./choices.ts";
import { choicesOf, dimensionsOf } from "./choices.ts";
import type { Records, Trial, Trials } from "./trials.ts";
import { startRecords, startTrials } from "./trials.ts";
import type { Sizes } from "./sizes.ts";
import { fullEvaluationEvery, sizesOf } from "./sizes.ts";
import type { Workshop } from "./workshop.ts";
import { startWorkshop } from "./workshop.ts";

/**
 * Evaluates the program as it is, makes what trials choose from, and tries it. What a cap cuts
 * short does not count; everything before it does.
 */
export async function runMiproV2(
  space: SearchSpace,
  run: OptimizerRun,
  components: readonly string[],
): Promise<OptimizerOutcome> {
  const dimensions = dimensionsOf(space, components);
  const sizes = sizesOf(run.rolloutsLeft(0), space, { choices: dimensions.count });
  const drawn = new Set(run.random("mipro-v2/panel", 0).sample(space.val, sizes.panel));
  const panel = space.val.filter((id) => drawn.has(id));
  const records = startRecords(space, run, panel);
  const rollouts = await records.log.seed({ exampleIds: panel });
  const seed: Omit<Trial, "setting"> = {
    components: space.components,
    iteration: 0,
    rollouts,
    isWhole: true,
  };
  const workshop = startWorkshop(space, run, { dimensions, sizes, records });
  let [reason, detail]: [StopReason, string | undefined] = ["budget", undefined];
  let trials: readonly Trial[] = [];
  try {
    const parts = { space, run, panel, dimensions, workshop, sizes, records };
    ({ reason, detail, trials } = await runTrials(seed, await workshop.first(), parts));
  } catch (error) {
    if (!(EspalierError.isInstance(error) && error.kind === "budget")) throw error;
  }
  const { candidates } = records.log;
  const best = bestSupported(bestOf(candidates) as CandidateRecord, candidates, {
    space,
    run,
    rolloutsOf: ({ components }) =>
      trials.find((trial) => trial.components === components)?.rollouts ?? [],
  });
  const ran = new Set([...workshop.ran, ...rollouts.flatMap((rollout) => rollout.ran)]);
  return {
    reason,
    ...(detail !== undefined && { detail }),
    candidates,
    rejections: records.log.rejections,
    best,
    neverInvoked: neverInvoked([...dimensions.texts, ...dimensions.demos], (one) => ran.has(one)),
  };
}

interface TrialRun {
  readonly space: SearchSpace;
  readonly run: OptimizerRun;
  /** Ids of the examples that judge. */
  readonly panel: readonly string[];
  readonly dimensions: Dimensions;
  readonly workshop: Workshop;
  readonly sizes: Sizes;
  readonly records: Records;
}

/**
 * Tries combinations on minibatches, and runs the most promising of them on the rest of the
 * examples that judge, every few trials and at the end. Between rounds, what the best one's runs on
 * train give is added to the choices. Returns why it ended, and all trials.
 */
async function runTrials(
  seed: Omit<Trial, "setting">,
  first: readonly Choice[],
  parts: TrialRun,
): Promise<{
  readonly reason: StopReason;
  readonly detail: string | undefined;
  readonly trials: readonly Trial[];
}> {
  const { space, run, dimensions, workshop, sizes, records } = parts;
  const { minibatch, rounds } = sizes;
  let options = first;
  let choices = choicesOf(space, options, dimensions.parameters);
  const trials = startTrials(run, choices);
  trials.put({ ...seed, setting: choices.own });
  const atStart = run.rolloutsLeft(0);
  // Under a cap, trials go on as long as the best one can still be run on all examples that judge.
  const most = Number.isFinite(atStart) ? Infinity : sizes.trials;
  /** Settings with new options, which no estimate knows of. */
  let fresh: Setting[] = [];
  let [round, reason, detail]: [number, StopReason, string | undefined] = [
    1,
    "all-tried",
    undefined,
  ];
  try {
    for (let number = 1; number <= most; number++) {
      detail = run.stopAsked() ?? undefined;
      if (detail !== undefined) break;
      records.log.beginIteration();
      const best = trials.best();
      const done = Math.max((number - 1) / sizes.trials, 1 - run.rolloutsLeft(0) / atStart || 0);
      if (round < rounds && done >= round / rounds && best !== undefined) {
        round++;
        if (run.fits({ rollouts: sizes.lessons + minibatch, reflectionCalls: 0 })) {
          const before = options;
          options = await workshop.next(best.components, options);
          choices = choicesOf(space, options, dimensions.parameters);
          trials.extend(choices);
          const random = run.random("mipro-v2/fresh", round);
          fresh = freshSettings(best.setting, { before, options, random });
        }
      }
      const given = fresh.shift();
      const setting =
        given !== undefined && trials.isOpen(given)
          ? given
          : trials.next(run.random("mipro-v2/trial", number));
      if (setting === undefined || !run.fits({ rollouts: sizes.panel, reflectionCalls: 0 })) {
        records.log.endIteration();
        if (setting !== undefined) reason = "budget";
        break;
      }
      const trial = trials.trialOf(setting) ?? {
        setting,
        components: choices.candidateOf(setting),
        iteration: records.log.iteration,
        rollouts: [],
        isWhole: false,
      };
      if (trial.rollouts.length === 0) records.log.propose(trial.components);
      const random = run.random("mipro-v2/minibatch", number);
      const unseen = random.shuffle(unseenBy(trial, parts.panel));
      await runOn(trial, unseen.slice(0, minibatch), trials, parts);
      if (number % fullEvaluationEvery === 0) await finishBest(trials, parts);
      records.log.endIteration();
    }
    if (detail === undefined) await finishWhatFits(trials, parts);
    else reason = "stopper";
  } catch (error) {
    // Work that a cap cut short does not count; everything before it does.
    if (!(EspalierError.isInstance(error) && error.kind === "budget")) throw error;
    reason = "budget";
  }
  for (const trial of trials.all) if (!trial.isWhole) records.leave(trial);
  return { reason, detail, trials: trials.all };
}

/** The best combination so far with new options in place of its own, each new one once. */
function freshSettings(
  best: Setting,
  {
    before,
    options,
    random,
  }: {
    readonly before: readonly Choice[];
    readonly options: readonly Choice[];
    readonly random: RandomSource;
  },
): Setting[] {
  const added = options.map(({ options: all }, index) => {
    const known = before[index]?.options.length ?? 0;
    const places = all.slice(known).map((_, at) => String(known + at));
    return { name: componentId(all[0]), isText: all[0].kind !== "demos", places };
  });
  const count = Math.max(0, ...added.map(({ isText, places }) => (isText ? places.length : 0)));
  return Array.from({ length: count }, (_, at) => ({
    ...best,
    ...Object.fromEntries(
      added.flatMap(({ name, isText, places }) => {
        if (places.length === 0) return [];
        if (isText) return [[name, places[at % places.length] as string]];
        return random.random() < 0.5 ? [[name, random.choice(places)]] : [];
      }),
    ),
  }));
}

/** Runs a trial on further examples, and decides on it once it has seen all. */
async function runOn(
  trial: Trial,
  exampleIds: readonly string[],
  trials: Trials,
  { run, panel, records }: TrialRun,
): Promise<void> {
  const [added = []] = await run.evaluate([
    { candidate: trial.components, split: "val", exampleIds },
  ]);
  records.log.evaluated(run.summarize("val", added), "proposed");
  records.log.spent();
  const rollouts = [...trial.rollouts, ...added];
  const now = { ...trial, rollouts, isWhole: rollouts.length === panel.length };
  trials.put(now);
  if (now.isWhole) records.settle(now);
}

/** Returns whether there was one, and it fitted. */
async function finishBest(trials: Trials, parts: TrialRun): Promise<boolean> {
  const best = trials.mostPromising();
  if (best === undefined) return false;
  const rest = unseenBy(best, parts.panel);
  if (!parts.run.fits({ rollouts: rest.length, reflectionCalls: 0 })) return false;
  await runOn(best, rest, trials, parts);
  return true;
}

/** At the end, the most promising of those left, and more of them where a budget is left over. */
async function finishWhatFits(trials: Trials, parts: TrialRun): Promise<void> {
  const { records, run } = parts;
  if (trials.mostPromising() === undefined) return;
  records.log.beginIteration();
  const isCapped = Number.isFinite(run.rolloutsLeft(0));
  while ((await finishBest(trials, parts)) && isCapped);
  records.log.endIteration();
}

function unseenBy({ rollouts }: Trial, panel: readonly string[]): readonly string[] {
  const seen = new Set(rollouts.map(({ exampleId }) => exampleId));
  return panel.filter((id) => !seen.has(id));
}
