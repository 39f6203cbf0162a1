import type { RandomSource } from "../../../contract/index.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { startExplanations } from "./explanations.ts";
import type { BySplit, Replays, Split } from "./replays.ts";
import type { Configuration, Setting } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";
import type { Estimate, Posterior } from "../model/posterior.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import { sum } from "../../../statistics/index.ts";

/** A configuration and its runs. */
export interface Trial {
  readonly configuration: Configuration;
  readonly train: readonly Rollout[];
  readonly val: readonly Rollout[];
  /** Metric calls spent before its first run. */
  readonly metricCallsBefore: number;
}

/** All runs of a search, and what they say about configurations. */
export interface Evidence {
  /** In the order of their first runs; the program as it is comes first. */
  readonly trials: readonly Trial[];
  /** Absent if the configuration has no runs. */
  trialOf(configuration: Configuration): Trial | undefined;
  /** Runs a configuration, for nothing where recorded replies answer. */
  run(
    configuration: Configuration,
    examples: BySplit<readonly string[]>,
  ): Promise<BySplit<readonly Rollout[]>>;
  /** Adds runs made elsewhere. */
  note(configuration: Configuration, split: Split, rollouts: readonly Rollout[]): void;
  /** Takes demonstrations from runs on train that were paid for before the search. */
  learnFrom(rollouts: readonly Rollout[]): void;
  /** Counts examples as run that were not dealt by `next`. */
  begin(examples: BySplit<readonly string[]>): void;
  /** The next examples of a split that a configuration was not run on. */
  next(split: Split, count: number, configuration: Configuration): readonly string[];
  /** Those of some examples that a configuration was not run on, in their order. */
  missing(split: Split, ids: readonly string[], configuration: Configuration): readonly string[];
  /** Runs on train with a text that scored less than perfect, oldest first. */
  failuresWith(text: Setting): readonly Rollout[];
  /** What one configuration brings over another, on average over val. */
  gain(configuration: Configuration, over: Configuration): Estimate;
  /** Expected mean over val of a configuration. */
  valueOf(configuration: Configuration): number;
  /**
   * A draw of what configurations bring: each lever's best setting where the model is believed,
   * else the best of those tried.
   */
  drawn(random: RandomSource): Configuration;
  /** The configuration that is expected to be the best, hopes of priors included. */
  expectedBest(): Configuration;
  /**
   * Whether configurations are judged by the model, and not by their own runs alone: see
   * `Explanations`.
   */
  readonly isModelBelieved: boolean;
  /** See `predictionQuality`; `null` until it is measured. */
  readonly quality: number | null;
  /** Learns the model's noise anew, and measures how well it predicts. */
  check(): void;
  /** Lets a configuration differ from what its levers add up to. */
  setApart(configuration: Configuration): void;
}

/** Share of the posterior's spread in a draw: a whole one explores more than budgets allow. */
const drawnSpread = 0.5;

export function startEvidence(
  space: SearchSpace,
  run: OptimizerRun,
  {
    model,
    levers,
    replays,
    scale,
    perfectScore,
  }: {
    readonly model: ScoreModel;
    readonly levers: Levers;
    readonly replays: Replays;
    readonly scale: number;
    readonly perfectScore: number;
  },
): Evidence {
  const trials = new Map<string, Trial & { readonly train: Rollout[]; readonly val: Rollout[] }>();
  const failures = new Map<Setting, Rollout[]>();
  const { initial } = levers;
  const explanations = startExplanations(model, { val: space.val, initial, scale });
  const { byLevers, byOwnRuns } = explanations;
  const orders = Object.fromEntries(
    (["train", "val"] as const).map((split) => [
      split,
      exampleOrder(shuffledBy(space[split], (epoch) => run.random(`joint-search/${split}`, epoch))),
    ]),
  ) as Record<Split, ReturnType<typeof exampleOrder>>;

  const learnt = new WeakSet<Rollout>();
  /** Demonstrations, from a run that may come back for a request that was paid for before. */
  const learn = (rollout: Rollout): void => {
    if (learnt.has(rollout)) return;
    learnt.add(rollout);
    for (const lever of levers.demonstrations) lever.learn(rollout);
  };
  const startedTrial = (configuration: Configuration) => {
    const key = configurationKey(configuration);
    const held = trials.get(key);
    if (held !== undefined) return held;
    const made = { configuration, train: [], val: [], metricCallsBefore: run.spent.metricCalls };
    trials.set(key, made);
    explanations.begin(configuration);
    return made;
  };
  const note = (configuration: Configuration, split: Split, rollouts: readonly Rollout[]): void => {
    startedTrial(configuration)[split].push(...rollouts);
    replays.note(configuration, split, rollouts);
    for (const rollout of rollouts) {
      if (rollout.score.kind !== "scored") continue;
      const {
        exampleId,
        score: { value: score },
      } = rollout;
      explanations.observe(configuration, { split, exampleId, score });
    }
    if (split === "val") return;
    for (const rollout of rollouts) {
      const score = rollout.score.kind === "scored" ? rollout.score.value : null;
      learn(rollout);
      if (score !== null && score >= perfectScore) continue;
      for (const setting of configuration) {
        const ofSetting = failures.get(setting) ?? [];
        failures.set(setting, ofSetting);
        ofSetting.push(rollout);
      }
    }
  };
  const isModelBelieved = (): boolean => explanations.believed === byLevers;
  const directly = (): Posterior => byOwnRuns.model.posterior();
  /** What to try: what all changes have in common must not make single ones look needless. */
  const ofLevers = (): Posterior => model.posterior(byLevers.ofChange);
  const bestTried = (effects: Float64Array): Configuration => {
    let [best, most] = [levers.initial, 0];
    for (const { configuration } of trials.values()) {
      const features = byOwnRuns.featuresOn(configuration, space.val[0] ?? "");
      const effect = sum(features.map(([place, value]) => value * (effects[place] as number)));
      if (effect > most) [best, most] = [configuration, effect];
    }
    return best;
  };

  return {
    get trials() {
      return [...trials.values()];
    },
    trialOf: (configuration) => trials.get(configurationKey(configuration)),
    note,
    learnFrom: (rollouts) => {
      for (const rollout of rollouts) learn(rollout);
    },
    run: async (configuration, examples) => {
      startedTrial(configuration);
      const ran: Record<Split, readonly Rollout[]> = {
        ...(await replays.answered(configuration, examples)),
      };
      const missing = (split: Split): readonly string[] => {
        const held = new Set(ran[split].map(({ exampleId }) => exampleId));
        return examples[split].filter((id) => !held.has(id));
      };
      const candidate = levers.candidateOf(configuration);
      const requests = (["train", "val"] as const)
        .map((split) => ({ candidate, split, exampleIds: missing(split) }))
        .filter(({ exampleIds }) => exampleIds.length > 0);
      const judged = requests.length === 0 ? [] : await run.evaluate(requests);
      for (const [at, { split }] of requests.entries()) {
        ran[split] = [...ran[split], ...(judged[at] ?? [])];
      }
      for (const split of ["train", "val"] as const) note(configuration, split, ran[split]);
      return ran;
    },
    begin: (examples) => {
      for (const split of ["train", "val"] as const) orders[split].begin(examples[split]);
    },
    next: (split, count, configuration) =>
      orders[split].next(
        count,
        new Set(startedTrial(configuration)[split].map(({ exampleId }) => exampleId)),
        runsToKnow(model.noiseShare()),
      ),
    missing: (split, ids, configuration) => {
      const held = trials.get(configurationKey(configuration))?.[split] ?? [];
      const known = new Set(held.map(({ exampleId }) => exampleId));
      return ids.filter((id) => !known.has(id));
    },
    failuresWith: (text) => failures.get(text) ?? [],
    gain: (configuration, over) => explanations.believed.gain(configuration, over),
    valueOf: (configuration) => explanations.believed.valueOf(configuration),
    drawn: (random) => {
      const byLever = levers.best(ofLevers().draw(random, drawnSpread));
      if (isModelBelieved()) return byLever;
      const tried = bestTried(directly().draw(random, 1));
      if (random.random() < 0.5) return tried;
      const changed = random.below(levers.all.length);
      const changedOne = tried.map((setting, at) => {
        if (at !== changed) return setting;
        const proposed = random.random() < 0.5 ? byLever[at] : levers.all[at]?.drawn(random);
        return proposed ?? setting;
      });
      return levers.settled(changedOne);
    },
    expectedBest: () =>
      isModelBelieved() ? levers.best(ofLevers().hoped) : bestTried(directly().effects),
    get isModelBelieved() {
      return isModelBelieved();
    },
    get quality() {
      return explanations.quality;
    },
    check: () => {
      explanations.check();
    },
    setApart: (configuration) => {
      explanations.setApart(configuration);
    },
  };
}

/**
 * Deals the examples of a split: those that were begun until each has had so many runs, and then
 * each about as often as any other.
 */
interface ExampleOrder {
  /** Counts a run of each that was not dealt here. */
  begin(ids: readonly string[]): void;
  /** The next examples, fewer if all others are in `known`. */
  next(count: number, known: ReadonlySet<string>, runs: number): readonly string[];
}

const mostRunsToKnow = 4;
/** Of retrieval scores by question, a quarter to a half of the variance of levels was noise. */
const assumedNoiseShare = 0.25;

/**
 * Runs to give an example before others are begun. Where examples differ more than the runs of one,
 * configurations are compared best on examples whose levels are known from several runs.
 *
 * @param noiseShare variance of an example's runs, in units of the variance of levels; `null` if it
 *   is not known yet
 */
export function runsToKnow(noiseShare: number | null): number {
  return mostRunsToKnow * (1 - (noiseShare ?? assumedNoiseShare));
}

/** @param shuffled all examples in the random order of an epoch */
export function exampleOrder(shuffled: (epoch: number) => readonly string[]): ExampleOrder {
  let waiting: readonly string[] = [];
  let epoch = 0;
  const runsOf = new Map<string, number>();
  const begin = (ids: readonly string[]): void => {
    for (const id of ids) runsOf.set(id, (runsOf.get(id) ?? 0) + 1);
  };
  return {
    begin,
    next: (count, known, runs) => {
      const dealt: string[] = [];
      for (const [id, had] of runsOf) {
        if (dealt.length < count && had < runs && !known.has(id)) dealt.push(id);
      }
      const deal = (): void => {
        waiting = waiting.filter((id) => {
          if (dealt.length >= count || known.has(id) || dealt.includes(id)) return true;
          dealt.push(id);
          return false;
        });
      };
      deal();
      if (dealt.length < count) {
        waiting = [...waiting, ...shuffled(epoch++)];
        deal();
      }
      begin(dealt);
      return dealt;
    },
  };
}

/** All examples of a split in the random order of an epoch. */
export function shuffledBy(
  ids: readonly string[],
  random: (epoch: number) => RandomSource,
): (epoch: number) => readonly string[] {
  return (epoch) => random(epoch).shuffle(ids);
}
