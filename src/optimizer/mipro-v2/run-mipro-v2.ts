import type { Component } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import { bestOf } from "../candidate/best-of.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { predictorOf } from "../candidate/predictor-of.ts";
import type { OptimizerOutcome, OptimizerRun, OutsideStop } from "../contract/optimizer.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import { passingScore } from "../demonstrations/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { DemonstrationSet } from "../few-shot/draw-sets.ts";
import { bootstrapRollouts, demonstrationPool } from "../few-shot/bootstrap.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Choice, Choices } from "./choices.ts";
import { choicesOf } from "./choices.ts";
import { bootstrappingOf, demoSets, isZeroShot } from "./demo-sets.ts";
import { groundOf } from "./ground.ts";
import type { Levers } from "./levers.ts";
import { leversOf } from "./levers.ts";
import type { MiproV2Settings } from "./mipro-v2-settings.ts";
import type { Records } from "./records.ts";
import { startRecords } from "./records.ts";
import { proposeInstructions } from "./propose-instructions.ts";
import type { Sizes } from "./sizes.ts";
import { callsOf, sizesOf } from "./sizes.ts";
import { runTrials } from "./run-trials.ts";
import type { Trial } from "./trials.ts";

interface Search {
  readonly space: SearchSpace;
  readonly run: OptimizerRun;
  readonly settings: MiproV2Settings;
  readonly levers: Levers;
  readonly sizes: Sizes;
  readonly records: Records;
}

/**
 * Evaluates the program as it is, runs train, writes what trials choose from, and tries it. What a
 * cap cuts short does not count; everything before it does.
 */
export async function runMiproV2(
  space: SearchSpace,
  run: OptimizerRun,
  {
    settings,
    outsideStops,
  }: { readonly settings: MiproV2Settings; readonly outsideStops: readonly OutsideStop[] },
): Promise<OptimizerOutcome> {
  const levers = leversOf(space, settings);
  const { isMean } = run.summarize("val", []);
  const sizes = sizesOf(run.rolloutsLeft(0), space, { settings, choices: levers.count, isMean });
  const drawn = new Set(run.random("mipro-v2/panel", 0).sample(space.val, sizes.panel));
  const panel = space.val.filter((id) => drawn.has(id));
  const records = startRecords(space, run, panel);
  const search: Search = { space, run, settings, levers, sizes, records };
  const seed = await runSeed(search, panel);
  const ran = new Set<string>(seed.rollouts.flatMap((rollout) => rollout.ran));
  let [reason, detail]: [StopReason, string | undefined] = ["budget", undefined];
  try {
    const onTrain = await runTrain(search);
    for (const rollout of onTrain) for (const predictor of rollout.ran) ran.add(predictor);
    const choices = await choicesFor(search, onTrain);
    ({ reason, detail } = await runTrials(seed, {
      run,
      panel,
      choices,
      sizes,
      settings,
      records,
      outsideStops,
    }));
  } catch (error) {
    if (!(EspalierError.isInstance(error) && error.kind === "budget")) throw error;
  }
  return {
    reason,
    ...(detail !== undefined && { detail }),
    candidates: records.candidates,
    refusals: records.rejections,
    best: bestOf(records.candidates) as CandidateRecord,
    neverInvoked: [...levers.texts, ...levers.demos]
      .filter((component) => !ran.has(predictorOf(component)))
      .map(componentId),
  };
}

async function runSeed({ space, run, records }: Search, panel: readonly string[]): Promise<Trial> {
  const [rollouts = []] = await run.evaluate([
    { candidate: space.components, split: "val", exampleIds: panel },
  ]);
  const trial: Trial = {
    setting: {},
    components: space.components,
    iteration: 0,
    metricCallsBefore: 0,
    rollouts,
    isWhole: true,
  };
  records.evaluated(rollouts, 0);
  records.seed(trial);
  return trial;
}

async function runTrain({ space, run, settings, sizes, records }: Search) {
  if (sizes.bootstrapping === 0) return [];
  const numbered = await bootstrapRollouts(space, run, bootstrappingOf(settings));
  records.spent();
  return numbered.map(({ rollout }) => rollout);
}

/** Iteration 1: makes sets of demonstrations, and asks for instructions. */
async function choicesFor(
  { space, run, settings, levers, sizes, records }: Search,
  onTrain: readonly Rollout[],
): Promise<Choices> {
  const few = bootstrappingOf(settings);
  const rollouts = onTrain.map((rollout) => ({ rollout }));
  const pool = demonstrationPool(space, rollouts, few);
  const sets = new Map<string, readonly DemonstrationSet[]>();
  for (const { path } of levers.demos) {
    const random = run.random(`mipro-v2/demonstrations/${path}`, 0);
    sets.set(path, demoSets(path, pool, { settings: few, most: sizes.candidates, random }));
  }
  records.beginIteration();
  const { ground, instructions } = callsOf(reflectionCallsLeft(run), {
    space,
    settings,
    texts: levers.texts.length,
    candidates: sizes.candidates,
  });
  const { requestsAt } = await import("./requests.ts");
  const requests = requestsAt(settings.temperature);
  const { texts } = levers;
  const proposed = await proposeInstructions(space, run, {
    requests,
    ground: await groundOf(space, run, {
      requests,
      rollouts: onTrain,
      texts,
      calls: ground,
      settings,
    }),
    texts,
    rollouts: onTrain,
    setsOf: (predictor) => sets.get(predictor) ?? [],
    passing: settings.threshold ?? passingScore(onTrain),
    count: instructions,
    iteration: records.iteration,
    settings,
  });
  records.spent();
  records.refuse(proposed.rejections);
  records.endIteration();
  const ofTexts = texts.map((text): Choice => ({
    options: [text, ...(proposed.instructions.get(text) ?? []).slice(1)],
  }));
  const ofDemos = isZeroShot(settings)
    ? []
    : levers.demos.map((own): Choice => {
        const all = (sets.get(own.path) ?? []).map((set): Component => ({
          ...own,
          value: set.map(({ demonstration }) => demonstration),
        }));
        return { options: [own, ...all.filter((one) => !isSame(one, own))] };
      });
  return choicesOf(space, [...ofTexts, ...ofDemos], { hasParameters: settings.parameters });
}

function isSame({ value }: Component, other: Component): boolean {
  return JSON.stringify(value) === JSON.stringify(other.value);
}

/** The most calls of the reflection LM that still fit, up to as many as a search could use. */
function reflectionCallsLeft(run: OptimizerRun): number {
  let [fits, beyond] = [0, 1_000];
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if (run.fits({ rollouts: 0, reflectionCalls: middle })) fits = middle;
    else beyond = middle;
  }
  return fits;
}
