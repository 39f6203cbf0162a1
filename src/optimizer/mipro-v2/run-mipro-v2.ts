import type { Candidate, RandomSource } from "../../contract/index.ts";
import { componentId, contentHash } from "../../internal/index.ts";
import { neverInvoked } from "../candidate/components.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { Ending } from "../contract/search-log.ts";
import { searchLog, withinBudget } from "../contract/search-log.ts";
import { bestSupported } from "../demonstrations/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import { trialValues } from "../parameter-search/search-parameters.ts";
import { drawnSetting, nextSetting } from "../parameter-search/settings-to-try.ts";
import type { Setting, Tunable } from "../parameter-search/tunable.ts";
import { settingOf } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { sampleOf } from "../task/val-sample.ts";
import type { Options } from "./choices.ts";
import { candidateOf, dimensionsOf, tunablesOf } from "./choices.ts";
import { fullEvaluationEvery, sizesOf } from "./sizes.ts";
import { startWorkshop } from "./workshop.ts";

/** Evaluates the program as it is, makes what trials choose from, and tries it. */
export async function runMiproV2(
  space: SearchSpace,
  run: OptimizerRun,
  components: readonly string[],
): Promise<OptimizerOutcome> {
  const dimensions = dimensionsOf(space, components);
  const { texts, shown, parameters } = dimensions;
  const sizes = sizesOf(run.rolloutsExpected(), space, dimensions);
  const { minibatch, rounds } = sizes;
  const panel = sampleOf(space.val, sizes.panel, run.seed);
  const log = searchLog("mipro-v2", space, run, panel);
  const ofSeed = await log.seed();
  const workshop = startWorkshop(space, run, { dimensions, sizes, log });
  const trials = startTrials(run, panel.length, parameters);
  const ending = await withinBudget(runTrials);
  for (const trial of trials.open()) leave(trial);
  const ran = new Set([...workshop.onTrain, ...ofSeed].flatMap((rollout) => rollout.ran));
  const demos = space.components.filter(({ kind }) => kind === "demos");
  return {
    ...log.outcome(ending ?? ["budget"], bestSupported(space, run, log)),
    neverInvoked: neverInvoked([...texts, ...demos], (one) => ran.has(one)),
  };

  /**
   * Tries combinations on minibatches, and runs the most promising of them on the rest of the
   * examples that judge, every few trials and at the end. Between rounds, what the best one's runs
   * on train give is added to the choices.
   */
  async function runTrials(): Promise<Ending> {
    const own = [...texts, ...shown].map((component): Options => [component]);
    let options = await workshop.first(own);
    let tunables = tunablesOf(options, parameters);
    trials.put({
      setting: settingOf(tunables, ({ value }) => value),
      components: space.components,
      rollouts: ofSeed,
    });
    const atStart = run.rolloutsLeft(0);
    // Under a cap, trials go on as long as the best one can still be run on all that judge.
    const most = Number.isFinite(atStart) ? Infinity : sizes.trials;
    /** Settings with new options, which no estimate knows of. */
    let fresh: Setting[] = [];
    let round = 1;
    let ending: Ending = ["all-tried"];
    for (let number = 1; number <= most; number++) {
      const stopped = run.stopAsked();
      if (stopped !== null) return ["stopper", stopped];
      log.beginIteration();
      const best = trials.best();
      const done = Math.max((number - 1) / sizes.trials, 1 - run.rolloutsLeft(0) / atStart || 0);
      if (round < rounds && done >= round / rounds && best !== undefined) {
        round++;
        if (run.fits({ rollouts: sizes.lessons + minibatch, reflectionCalls: 0 })) {
          const before = options;
          options = await workshop.next(best.components, options);
          tunables = tunablesOf(options, parameters);
          const random = run.random("mipro-v2/fresh", round);
          fresh = freshSettings(best.setting, { before, options, random });
        }
      }
      const random = run.random("mipro-v2/trial", number);
      const setting = trials.next(tunables, random, fresh.shift());
      if (setting === undefined || !run.fits({ rollouts: sizes.panel, reflectionCalls: 0 })) {
        log.endIteration();
        if (setting !== undefined) ending = ["budget"];
        break;
      }
      const trial = trials.trialOf(setting) ?? {
        setting,
        components: candidateOf(space, options, setting),
        rollouts: [],
      };
      if (trial.rollouts.length === 0) log.propose(trial.components);
      const unseen = run.random("mipro-v2/minibatch", number).shuffle(unseenBy(trial));
      await runOn(trial, unseen.slice(0, minibatch));
      if (number % fullEvaluationEvery === 0) await finishBest();
      log.endIteration();
    }
    // At the end, the most promising of those left, and more of them where a budget is left over.
    if (trials.mostPromising() === undefined) return ending;
    log.beginIteration();
    const isCapped = Number.isFinite(run.rolloutsLeft(0));
    while ((await finishBest()) && isCapped);
    log.endIteration();
    return ending;
  }

  /** Runs a trial on further examples, and decides on it once it has seen all. */
  async function runOn(trial: Trial, exampleIds: readonly string[]): Promise<void> {
    const { components } = trial;
    const [added = []] = await run.evaluate([{ candidate: components, split: "val", exampleIds }]);
    log.evaluated(added);
    const rollouts = [...trial.rollouts, ...added];
    trials.put({ ...trial, rollouts });
    if (rollouts.length === panel.length) log.decide(components, rollouts);
  }

  /** Returns whether there was one, and it fitted. */
  async function finishBest(): Promise<boolean> {
    const best = trials.mostPromising();
    if (best === undefined) return false;
    const rest = unseenBy(best);
    if (!run.fits({ rollouts: rest.length, reflectionCalls: 0 })) return false;
    await runOn(best, rest);
    return true;
  }

  function unseenBy({ rollouts }: Trial): readonly string[] {
    const seen = new Set(rollouts.map(({ exampleId }) => exampleId));
    return panel.filter((id) => !seen.has(id));
  }

  /** Rejects a trial that was run on some of the examples that judge only. */
  function leave({ components, rollouts }: Trial): void {
    const { value, scores } = run.summarize("val", log.inOrder(rollouts));
    const seen = Object.values(scores).filter((score) => score !== null).length;
    if (value === null) log.reject(components, "low-coverage", "Faults left no score.");
    else {
      const detail = `${value.toFixed(4)} on ${seen} examples of val; others promised more, and were run on the rest.`;
      log.reject(components, "not-better-on-val", detail);
    }
  }
}

/** The best combination so far with new options in place of its own, each new one once. */
function freshSettings(
  best: Setting,
  {
    before,
    options,
    random,
  }: {
    readonly before: readonly Options[];
    readonly options: readonly Options[];
    readonly random: RandomSource;
  },
): Setting[] {
  const added = options.map((all, index) => {
    const known = before[index]?.length ?? 0;
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

/** A combination that was tried, with its rollouts on val so far. */
export interface Trial {
  readonly setting: Setting;
  readonly components: Candidate;
  readonly rollouts: readonly Rollout[];
}

/** Trials of a search in their order, each combination once. */
export interface Trials {
  trialOf(setting: Setting): Trial | undefined;
  /** Adds a trial, or takes the place of that of the same setting. */
  put(trial: Trial): void;
  /** Those not yet run on all examples that judge. */
  open(): readonly Trial[];
  /** The open one that seems best; `undefined` where none is left. */
  mostPromising(): Trial | undefined;
  /** The one that seems best, by what it and others were run on. */
  best(): Trial | undefined;
  /**
   * What to try next, nothing that was run on all examples; `undefined` where none is left.
   *
   * @param given taken if it is open
   */
  next(tunables: readonly Tunable[], random: RandomSource, given?: Setting): Setting | undefined;
}

/** How often a random trial leaves a parameter as the program has it. */
const shareOfOwn = 0.75;

/**
 * @param panel number of examples that judge
 * @param parameters those of the program among the tunables
 */
export function startTrials(
  run: OptimizerRun,
  panel: number,
  parameters: readonly Tunable[],
): Trials {
  const trials = new Map<string, Trial>();
  const trialOf = (setting: Setting): Trial | undefined => trials.get(contentHash(setting));
  const isOpen = (trial: Trial | undefined): boolean => trial?.rollouts.length !== panel;

  let latest: ReturnType<typeof valuedAnew> | undefined;
  const valued = (): ReturnType<typeof valuedAnew> => (latest ??= valuedAnew());
  /** Values on one scale; a trial without any score is left out. */
  const valuedAnew = (): readonly { readonly trial: Trial; readonly value: number }[] => {
    const all = [...trials.values()];
    const { isMean } = run.summarize("val", []);
    if (!isMean) {
      return all.flatMap((trial) => {
        const { value } = run.summarize("val", trial.rollouts);
        return value === null ? [] : [{ trial, value }];
      });
    }
    const scored = all.flatMap((trial) => {
      const scores = new Map(
        trial.rollouts.flatMap(({ exampleId, score }): readonly [string, number][] =>
          score.kind === "scored" ? [[exampleId, score.value]] : [],
        ),
      );
      return scores.size === 0 ? [] : [{ trial, scores }];
    });
    const values = trialValues(scored.map(({ scores }) => scores));
    return scored.map(({ trial }, index) => ({ trial, value: values[index] as number }));
  };
  const highest = (some: ReturnType<typeof valuedAnew>): Trial | undefined =>
    some.toSorted((one, other) => other.value - one.value)[0]?.trial;

  return {
    trialOf,
    put: (trial) => {
      latest = undefined;
      trials.set(contentHash(trial.setting), trial);
    },
    open: () => [...trials.values()].filter(isOpen),
    mostPromising: () => highest(valued().filter(({ trial }) => isOpen(trial))),
    best: () => highest(valued()),
    next: (tunables, random, given) => {
      if (given !== undefined && isOpen(trialOf(given))) return given;
      const own = new Set(parameters.map(({ name }) => name));
      const draw = (): Setting => {
        const drawn = drawnSetting(tunables, random);
        return settingOf(tunables, ({ name, value }) =>
          own.has(name) && random.random() < shareOfOwn ? value : (drawn[name] ?? value),
        );
      };
      return nextSetting(tunables, {
        tried: valued().map(({ trial: { setting }, value }) => ({ setting, value })),
        random,
        isOpen: (setting) => isOpen(trialOf(setting)),
        draw,
      });
    },
  };
}
