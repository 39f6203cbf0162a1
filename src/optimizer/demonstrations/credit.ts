import type { RandomSource, Candidate } from "../../contract/index.ts";
import { mayShow } from "../../contract/index.ts";
import { canonicalJson } from "../../internal/index.ts";
import type { CandidateRecord, DemonstrationCredit } from "../candidate/candidate-record.ts";
import type { PredictorDemonstration } from "./demonstrations-of.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Observation } from "../../statistics/index.ts";
import { linearPosterior, mean, normalQuantile } from "../../statistics/index.ts";

export interface Credits {
  /** The credit of a demonstration; of one that no run showed, that of its predictor's mean. */
  creditOf(demonstration: PredictorDemonstration): DemonstrationCredit;
  /** One draw of the gains that the runs leave possible. */
  draw(random: RandomSource): (demonstration: PredictorDemonstration) => number;
}

/**
 * Credits by regression: runs are compared with other runs of the same example, and a score is the
 * sum of what the shown demonstrations bring, each its predictor's mean and its own deviation. Both
 * are shrunk towards 0, so that few runs say little: before any run they are taken to spread by a
 * fifth of the scores' standard deviation.
 */
export function creditsOf(runs: readonly ShownRun[]): Credits {
  const places = new Map<string, number>();
  const placeOf = (key: string): number => {
    const index = places.get(key) ?? places.size;
    places.set(key, index);
    return index;
  };
  const counts = new Map<string, number>();
  const observed = runs.map(({ exampleId, score, shown }) => {
    const features = new Map<number, number>();
    for (const one of shown) {
      counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
      for (const index of [placeOf(one.predictor), placeOf(keyOf(one))]) {
        features.set(index, (features.get(index) ?? 0) + 1);
      }
    }
    return { exampleId, features, value: score };
  });
  const centred = withinExamples(observed);
  const scatter = Math.max(1e-6, mean([0, ...centred.map(({ value }) => value ** 2)]));
  const predictors = new Set(runs.flatMap(({ shown }) => shown.map(({ predictor }) => predictor)));
  const ownVariance = scatter * ownShare;
  const posterior = linearPosterior(centred, {
    priorVariances: [...places.keys()].map((key) =>
      predictors.has(key) ? scatter * meanShare : ownVariance,
    ),
    noiseVariance: scatter,
  });
  const featuresOf = (one: PredictorDemonstration): Observation["features"] =>
    new Map([places.get(one.predictor), places.get(keyOf(one))].flatMap(placeAsFeature));
  const gainIn = (gains: Float64Array, one: PredictorDemonstration): number =>
    [...featuresOf(one).keys()].reduce((sum, index) => sum + (gains[index] ?? 0), 0);
  return {
    creditOf: (one) => {
      const gain = gainIn(posterior.mean, one);
      const unseen = places.has(keyOf(one)) ? 0 : ownVariance;
      const spread = Math.sqrt(posterior.varianceOf(featuresOf(one)) + unseen);
      const reach = normalQuantile(0.975) * spread;
      return {
        predictor: one.predictor,
        exampleId: one.demonstration.exampleId,
        gain,
        low: gain - reach,
        high: gain + reach,
        runs: counts.get(keyOf(one)) ?? 0,
      };
    },
    draw: (random) => {
      const normal = (): number => normalQuantile(Math.max(1e-12, random.random()));
      const gains = posterior.draw(normal);
      return (one) =>
        gainIn(gains, one) + (places.has(keyOf(one)) ? 0 : Math.sqrt(ownVariance) * normal());
    },
  };
}

/** Of the demonstrations that a candidate shows at every call, as far as runs showed them. */
export function creditsIn(
  { components }: Pick<CandidateRecord, "components">,
  runs: readonly ShownRun[],
): readonly DemonstrationCredit[] {
  const credits = creditsOf(runs);
  return fixedDemonstrations(components)
    .map((one) => credits.creditOf(one))
    .filter(({ runs }) => runs > 0);
}

/** Prior variances, as shares of the variance of scores within examples. */
const ownShare = 0.04;
const meanShare = 0.04;

function placeAsFeature(index: number | undefined): readonly [number, number][] {
  return index === undefined ? [] : [[index, 1]];
}

function keyOf({
  predictor,
  demonstration: { exampleId, outputs },
}: PredictorDemonstration): string {
  return canonicalJson([predictor, exampleId, outputs]);
}

/** Each run less the mean of its example's runs: what makes an example easy or hard drops out. */
function withinExamples(
  runs: readonly (Observation & { readonly exampleId: string })[],
): readonly Observation[] {
  return [...Map.groupBy(runs, ({ exampleId }) => exampleId).values()].flatMap((ofExample) => {
    const centre = mean(ofExample.map(({ value }) => value));
    const share = new Map<number, number>();
    for (const { features } of ofExample) {
      for (const [index, count] of features) {
        share.set(index, (share.get(index) ?? 0) + count / ofExample.length);
      }
    }
    return ofExample.map(({ features, value }) => ({
      features: new Map(
        [...share].map(([index, part]) => [index, (features.get(index) ?? 0) - part]),
      ),
      value: value - centre,
    }));
  });
}

/** A scored run and the demonstrations that its prompts showed. */
export interface ShownRun {
  readonly exampleId: string;
  readonly score: number;
  readonly shown: readonly PredictorDemonstration[];
}

/**
 * The scored runs of a candidate with what each of them showed of its demonstrations: none of the
 * example itself, nor of its cluster.
 */
export function shownRuns(
  rollouts: readonly Rollout[],
  demonstrations: readonly PredictorDemonstration[],
  { clusterOf }: Pick<SearchSpace, "clusterOf">,
): readonly ShownRun[] {
  return rollouts.flatMap(({ exampleId, score }) => {
    if (score.kind !== "scored") return [];
    const example = { exampleId, cluster: clusterOf?.(exampleId) };
    const shown = demonstrations.filter(({ demonstration }) => mayShow(demonstration, example));
    return [{ exampleId, score: score.value, shown }];
  });
}

/** What a candidate shows at every call: not what its calls choose, since no run says which. */
export function fixedDemonstrations(candidate: Candidate): readonly PredictorDemonstration[] {
  return candidate.flatMap((component) =>
    component.kind === "demos" && component.nearest === undefined
      ? component.value.map((demonstration) => ({ predictor: component.path, demonstration }))
      : [],
  );
}
