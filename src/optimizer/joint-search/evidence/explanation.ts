import { sum } from "../../../statistics/index.ts";
import type { Configuration } from "../lever/lever.ts";
import type { Features, Observation } from "../model/observation.ts";
import type { Estimate } from "../model/posterior.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { Split } from "./replays.ts";

/** The score of a run on an example. */
export interface ScoredRun {
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
