import type { Split } from "./replays.ts";
import type { Configuration } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import type { Estimate } from "../model/posterior.ts";
import { predictionQuality, standardErrorsAhead } from "../model/prediction-quality.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { Observation, Features } from "../model/observation.ts";
import { scoreModel } from "../model/score-model.ts";
import { sum } from "../../../statistics/index.ts";

/** Two explanations of the same scores, and which of them is to be believed. */
export interface Explanations {
  /** By what the settings of a configuration add up to. */
  readonly byLevers: Explanation;
  /** By the configuration, which tells nothing of others. */
  readonly byOwnRuns: Explanation;
  /** The first, unless the second predicts clearly better. */
  readonly believed: Explanation;
  /** Of the first, see `predictionQuality`; `null` until it is measured. */
  readonly quality: number | null;
  /** Gives a configuration an effect of its own in the second; called once for each. */
  begin(configuration: Configuration): void;
  /** Lets a configuration differ, in the first, from what its settings add up to. */
  setApart(configuration: Configuration): void;
  observe(configuration: Configuration, scored: ScoredRun): void;
  /** Learns the first's noise anew, and measures how well both predict. */
  check(): void;
}

/**
 * Standard errors by which own runs must predict configurations better than their settings do.
 * Near the best, configurations differ by so little that neither is much better; but settings alone
 * say what to try next.
 */
const clearlyAhead = 3;

export function startExplanations(
  model: ScoreModel,
  {
    val,
    initial,
    scale,
  }: {
    readonly val: readonly string[];
    readonly initial: Configuration;
    readonly scale: number;
  },
): Explanations {
  const of = { val, initial, scale };
  const apart = new Map<string, number>();
  const byLevers = explanation(model, {
    ...of,
    featuresOn: (configuration, exampleId) => {
      const place = apart.get(configurationKey(configuration));
      const features = configuration.flatMap((setting) => setting.featuresOn(exampleId));
      return place === undefined ? features : [...features, [place, 1]];
    },
  });
  const places = new Map<string, number>();
  const direct = scoreModel(model.priors[0] ?? { mean: 0, deviation: 1 });
  const byOwnRuns = explanation(direct, {
    ...of,
    featuresOn: (configuration) => {
      const place = places.get(configurationKey(configuration));
      return place === undefined ? [] : [[place, 1]];
    },
  });
  const initialKey = configurationKey(initial);
  const seen: { key: string; byLevers: Observation; byOwnRuns: Observation }[] = [];
  let quality: number | null = null;
  let ahead = 0;
  return {
    byLevers,
    byOwnRuns,
    get believed() {
      return ahead < clearlyAhead ? byLevers : byOwnRuns;
    },
    get quality() {
      return quality;
    },
    begin: (configuration) => {
      const key = configurationKey(configuration);
      if (key === initialKey) return;
      places.set(key, direct.addFeature({ mean: 0, deviation: 0.25 * scale }));
    },
    setApart: (configuration) => {
      const place = model.addFeature({ mean: 0, deviation: 0.1 * scale });
      apart.set(configurationKey(configuration), place);
    },
    observe: (configuration, scored) => {
      seen.push({
        key: configurationKey(configuration),
        byLevers: byLevers.observe(configuration, scored),
        byOwnRuns: byOwnRuns.observe(configuration, scored),
      });
    },
    check: () => {
      model.learnNoise();
      const trials = [...Map.groupBy(seen, ({ key }) => key).values()];
      quality = predictionQuality(
        trials.map((runs) => runs.map((one) => one.byLevers)),
        model.priors,
        [byLevers.ofVal],
      );
      ahead = standardErrorsAhead(
        { observations: seen.map((one) => one.byOwnRuns), priors: direct.priors },
        { observations: seen.map((one) => one.byLevers), priors: model.priors },
      );
    },
  };
}

/** The score of a run on an example. */
interface ScoredRun {
  readonly split: Split;
  readonly exampleId: string;
  readonly score: number;
}

/** What scores are put down to: features of configurations, and what all runs have in common. */
export interface Explanation {
  readonly model: ScoreModel;
  /** Feature of the examples of val, whatever is run on them. */
  readonly ofVal: number;
  /** Feature of all that differs from the program as it is: the share of levers changed. */
  readonly ofChange: number;
  /** What the model sees of a configuration on an example. */
  featuresOn(configuration: Configuration, exampleId: string): Features;
  /** Adds a score, and returns what the model saw. */
  observe(configuration: Configuration, scored: ScoredRun): Observation;
  /** What one configuration brings over another, on average over val. */
  gain(configuration: Configuration, over: Configuration): Estimate;
  /** Expected mean over val. */
  valueOf(configuration: Configuration): number;
}

/** How far apart the means of train and val are expected to be, in units of effects. */
const splitSpread = 0.25;
/**
 * How far from the program as it is one that differs in every lever is expected to be, for reasons
 * that no other feature tells. Without it, trials that fail together lower the levels of the
 * examples, and with them what the program is believed to be worth.
 */
const changeSpread = 0.25;

/**
 * @param val ids of the examples that count
 * @param featuresOn what else the model sees of a configuration; nothing of the program as it is
 */
export function explanation(
  model: ScoreModel,
  {
    val,
    initial,
    scale,
    featuresOn,
  }: {
    readonly val: readonly string[];
    readonly initial: Configuration;
    readonly scale: number;
    readonly featuresOn: (configuration: Configuration, exampleId: string) => Features;
  },
): Explanation {
  // Configurations are run on unlike shares of train and val, of which one may be easier.
  const ofVal = model.addFeature({ mean: 0, deviation: splitSpread * scale });
  const ofChange = model.addFeature({ mean: 0, deviation: changeSpread * scale });
  const shareChanged = (configuration: Configuration): number =>
    configuration.filter(({ key }, place) => key !== initial[place]?.key).length / initial.length;
  const seenOf = (configuration: Configuration, exampleId: string): Features => [
    [ofChange, shareChanged(configuration)],
    ...featuresOn(configuration, exampleId),
  ];
  const onVal = (configuration: Configuration, times: number): Features => [
    [ofChange, times * shareChanged(configuration)],
    ...val.flatMap((id) =>
      featuresOn(configuration, id).map(
        ([place, value]) => [place, (times * value) / val.length] as const,
      ),
    ),
  ];
  const gain = (configuration: Configuration, over: Configuration): Estimate =>
    model.posterior().sumOf([...onVal(configuration, 1), ...onVal(over, -1)]);
  return {
    model,
    ofVal,
    ofChange,
    featuresOn: seenOf,
    observe: (configuration, { split, exampleId, score }) => {
      const features = seenOf(configuration, exampleId);
      const observation = {
        features: split === "val" ? [[ofVal, 1] as const, ...features] : features,
        exampleId,
        score,
      };
      model.observe(observation);
      return observation;
    },
    gain,
    valueOf: (configuration) => {
      const posterior = model.posterior();
      const levels = sum(val.map((id) => posterior.levelOf(id))) / val.length;
      return levels + (posterior.effects[ofVal] as number) + gain(configuration, initial).mean;
    },
  };
}
