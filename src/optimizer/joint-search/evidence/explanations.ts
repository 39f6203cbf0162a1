import type { Configuration } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import { predictionQuality } from "../model/prediction-quality.ts";
import type { Observation } from "../model/observation.ts";
import type { ScoreModel } from "../model/score-model.ts";
import { scoreModel } from "../model/score-model.ts";
import { standardErrorsAhead } from "../model/standard-errors-ahead.ts";
import type { Explanation, ScoredRun } from "./explanation.ts";
import { explanation } from "./explanation.ts";

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
