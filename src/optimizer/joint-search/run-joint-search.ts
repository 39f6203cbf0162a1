import { EspalierError } from "../../errors/index.ts";
import { mean } from "../../statistics/index.ts";
import { neverInvoked } from "../candidate/components.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import { goodScore } from "../demonstrations/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import {
  allotment,
  countedRollouts,
  longSearch,
  raceShare,
  trialSize,
  trialsPerText,
} from "./settings/settings.ts";
import type { Evidence } from "./evidence/evidence.ts";
import { startEvidence } from "./evidence/evidence.ts";
import { startReplays } from "./evidence/replays.ts";
import type { JointSearchSettings } from "./settings/settings.ts";
import type { Configuration } from "./lever/lever.ts";
import { leversOf } from "./lever/levers.ts";
import { scoreModel } from "./model/score-model.ts";
import { startRecords } from "./evidence/records.ts";
import { bestOfSearch, creditsOfConfiguration } from "./stage/choose.ts";
import {
  fittingOnVal,
  keptForWholeVal,
  mostOnVal,
  runOnVal,
  finalists,
  mostInRace,
  race,
} from "./stage/race.ts";
import { reflection } from "./stage/reflect.ts";
import { startTrials } from "./stage/trials.ts";

/** Trials from one check of the model to the next. */
const trialsPerCheck = 20;
/** Trials that must fit for the search to go on after a race. */
const fewestForMore = 5;
/** Trials in a row that find no example to run on. */
const mostIdle = 50;
/** Variants that recorded replies may answer, of the program as it is and of each trial. */
const variantsOfFirstLook = 8;
const variantsOfTrial = 2;
/** Least unit of effects, relative to a perfect score, however little scores vary at first. */
const leastScale = 0.5;

export async function runJointSearch(
  space: SearchSpace,
  run: OptimizerRun,
  {
    settings,
    changeable,
  }: {
    readonly settings: JointSearchSettings;
    readonly changeable: readonly number[];
  },
): Promise<OptimizerOutcome> {
  const expected = countedRollouts(run.rolloutsExpected(), space);
  const { firstLook } = allotment(expected, space);
  const spentBefore = run.spent.metricCalls;
  const ran = (): number => (run.spent.metricCalls - spentBefore) / run.repetitions;
  /** What a first look took tells more of caps on calls, tokens and money than the plan did. */
  const left = (): number => {
    const allowed = run.rolloutsLeft(0);
    return Number.isFinite(allowed) ? allowed : expected - ran();
  };
  const onTrain = Math.min(space.train.length, Math.ceil((firstLook * 3) / 4));
  const examples = {
    train: run.random("joint-search/first-look", 0).sample(space.train, onTrain),
    val: run
      .random("joint-search/first-look", 1)
      .sample(space.val, Math.max(1, Math.min(space.val.length, firstLook - onTrain))),
  };
  const [seenOnTrain = [], seenOnVal = []] = await run.evaluate(
    (["train", "val"] as const).map((split) => ({
      candidate: space.components,
      split,
      exampleIds: examples[split],
    })),
  );
  const seen = scoresOf([...seenOnTrain, ...seenOnVal]);
  const scale = Math.max(deviationOf(seen), leastScale * Math.abs(settings.perfectScore));
  const model = scoreModel({ mean: seen.length === 0 ? 0 : mean(seen), deviation: scale });
  const { mostDemonstrations, perfectScore } = settings;
  const levers = leversOf(space, model, {
    changeable,
    scale,
    learnsShape: expected >= longSearch,
    mostDemonstrations,
    demonstrationScore: settings.demonstrationScore ?? goodScore(seenOnTrain, perfectScore),
  });
  const { initial } = levers;
  const replays = startReplays(run, levers, expected);
  const evidence = startEvidence(space, run, {
    model,
    levers,
    replays,
    scale,
    perfectScore,
  });
  evidence.learnFrom((run.paid ?? []).map(({ rollout }) => rollout));
  evidence.note(initial, "train", seenOnTrain);
  evidence.note(initial, "val", seenOnVal);
  evidence.begin(examples);
  const records = startRecords(space, run, { levers, evidence });
  records.evaluated({ train: seenOnTrain, val: seenOnVal }, 0);
  records.accept(initial);
  run.checkpoint();

  const total = ran() + left();
  const { race: forRace, texts: mostTexts } = allotment(total, space);
  const isMean = run.summarize("val", []).isMean;
  const mostFinalists = isMean ? mostInRace : mostOnVal;
  const trials = startTrials(run, { levers, evidence, replays, records });
  const writer = reflection(space, run, {
    levers,
    evidence,
    settings,
    iteration: () => records.log.iteration,
  });
  let reason: StopReason = "budget";
  let detail: string | undefined;
  try {
    const explore = async (until: number): Promise<void> => {
      let idle = 0;
      while (detail === undefined && idle < mostIdle && left() >= until + trialSize) {
        detail = run.stopAsked() ?? undefined;
        if (detail !== undefined) return;
        records.log.beginIteration();
        const trial = records.log.iteration;
        if (trial % trialsPerText === 0 && writer.requested < mostTexts) {
          records.log.refuse(await writer.onNext(evidence.expectedBest()));
        }
        if (trial % trialsPerCheck === 0) evidence.check();
        const drawn = evidence.drawn(run.random("joint-search/draw", trial));
        const ran = await trials.tryOne(drawn);
        idle = ran === null ? idle + 1 : 0;
        if (ran !== null) await trials.vary(drawn, ran, variantsOfTrial);
        records.log.endIteration();
      }
    };
    const decide = async (): Promise<void> => {
      evidence.check();
      const all = finalists(levers, evidence, mostFinalists);
      const fitting = isMean ? null : fittingOnVal(all, evidence, { val: space.val, left: left() });
      records.log.beginIteration();
      for (const one of fitting?.finalists ?? all) records.accept(one);
      const onRun = (): void => records.log.spent();
      if (fitting === null) {
        const val = run.random("joint-search/race", 0).shuffle(space.val);
        await race(all, evidence, { run, val, onRun, onRound: () => records.confirm() });
      } else await runOnVal(fitting, evidence, { run, onRun });
      records.confirm();
      records.log.endIteration();
    };
    /** With what is known, and without a rollout: a search that goes on after all makes others. */
    const decideAsStopped = (): void => {
      run.emit({ kind: "search-stopped", iteration: records.log.iteration });
      evidence.check();
      const all = finalists(levers, evidence, mostFinalists);
      // Where values of parts of val say little, what was run on all of it is compared.
      const isOnAllOfVal = (one: Configuration): boolean =>
        evidence.missing("val", space.val, one).length === 0;
      const known = isMean ? all : all.filter(isOnAllOfVal);
      if (!known.includes(initial)) return;
      for (const one of known) records.accept(one);
      records.confirm();
    };
    /** Rollouts to keep for a decision. */
    const keptFor = (share: number): number =>
      isMean ? share : keptForWholeVal(initial, evidence, { share, val: space.val });
    const mayGoOn = (): boolean => left() >= keptFor(0) + fewestForMore * trialSize;
    records.log.beginIteration();
    await replays.find(examples);
    await trials.vary(initial, { train: seenOnTrain, val: seenOnVal }, variantsOfFirstLook);
    records.log.refuse(await writer.onEach(initial));
    records.log.endIteration();
    const kept = keptFor(forRace);
    await explore(kept <= left() / 2 ? kept : forRace);
    if (detail === undefined) await decide();
    // A decision that was clear early leaves calls for further trials.
    while (detail === undefined && mayGoOn()) {
      const before = left();
      await explore(keptFor(raceShare * before));
      if (detail === undefined) await decide();
      if (left() === before) break;
    }
    if (detail !== undefined) {
      reason = "stopper";
      decideAsStopped();
    } else if (!Number.isFinite(run.rolloutsLeft(0)) || mayGoOn()) reason = "all-tried";
  } catch (error) {
    // Work that a cap cut short does not count; everything before it does.
    if (!(EspalierError.isInstance(error) && error.kind === "budget")) throw error;
  }
  const { candidates, rejections: refusals } = records.log;
  const best = bestOfSearch(space, run, { levers, evidence, records, rollouts: total });
  return {
    reason,
    ...(detail !== undefined && { detail }),
    candidates,
    refusals,
    best,
    ...records.log.credit(best, () =>
      creditsOfConfiguration(best, { space, levers, evidence, records }),
    ),
    neverInvoked: neverInvoked(
      levers.initial.map(({ component }) => component),
      wasInvoked(evidence),
    ),
  };
}

function wasInvoked({ trials }: Evidence): (predictor: string) => boolean {
  const ran = new Set(
    trials.flatMap(({ train, val }) => [...train, ...val].flatMap((rollout) => rollout.ran)),
  );
  return (predictor) => ran.has(predictor);
}

function scoresOf(rollouts: readonly Rollout[]): readonly number[] {
  return rollouts.flatMap(({ score }) => (score.kind === "scored" ? [score.value] : []));
}

function deviationOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}
