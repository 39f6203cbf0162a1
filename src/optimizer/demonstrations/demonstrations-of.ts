import type {
  Demonstration,
  JsonObject,
  Candidate,
  Component,
  NearestDemonstrations,
} from "../../contract/index.ts";
import {
  canonicalJson,
  withoutImages,
  imagesOf,
  mapTexts,
  placeholdersIn,
} from "../../internal/index.ts";
import { predictorOf } from "../candidate/components.ts";
import type { PredictorStep, Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Which runs give demonstrations, and what is known of their examples. */
export interface DemonstrationRules extends Pick<SearchSpace, "clusterOf" | "inputOf"> {
  /** Lowest score of a run that gives demonstrations. */
  readonly threshold: number;
}

/** A demonstration and the predictor that it is for. */
export interface PredictorDemonstration {
  readonly predictor: string;
  readonly demonstration: Demonstration;
  /** Whether feedback says something of this very call, without a score. @default false */
  readonly isBlamed?: boolean;
}

/**
 * Maximum length of a demonstration's inputs, steps and outputs as JSON, in UTF-16 code units; a
 * longer one is left out.
 */
const longest = 8_000;

/**
 * What a run shows of each predictor's work: one demonstration for each call that gave outputs, in
 * the order of the calls, each only once. None for a run without a lesson (of val), without a
 * score, or with one below the threshold. Of a rollout of several runs, its lesson's score decides.
 * A call to which blame gives a score of its own below the threshold gives none either: the run
 * went well in spite of it.
 */
export function demonstrationsOf(
  { exampleId, score, lesson }: Rollout,
  { threshold, clusterOf, inputOf }: DemonstrationRules,
): readonly PredictorDemonstration[] {
  if (lesson === undefined || score.kind !== "scored") return [];
  const reached = lesson.score ?? score.value;
  if (reached < threshold) return [];
  const cluster = clusterOf?.(exampleId);
  const about = { exampleId, ...(cluster !== undefined && { cluster }), score: reached };
  const seen = new Set<string>();
  return lesson.steps.flatMap(({ path, predictor, inputs, outputs, trajectory: steps }) => {
    if (outputs === null) return [];
    const blame = (lesson.blame ?? []).filter((one) => [path, predictor].includes(one.path));
    if (blame.some((one) => one.score !== undefined && one.score < threshold)) return [];
    const isBlamed = blame.some((one) => one.score === undefined);
    const shown = JSON.stringify([inputs, outputs]);
    const key = `${predictor} ${shown}`;
    const length = shown.length + (steps === undefined ? 0 : JSON.stringify(steps).length);
    if (length > longest || seen.has(key) || isBare({ inputs, outputs })) return [];
    seen.add(key);
    const whole = withImagesOf(inputOf?.(exampleId), inputs);
    if (whole === null) return [];
    const demonstration = { ...about, inputs: whole, outputs, ...(steps && { steps }) };
    return [{ predictor, demonstration, ...(isBlamed && { isBlamed }) }];
  });
}

/** A prompt can show no demonstration that lacks a side. */
function isBare({ inputs, outputs }: Pick<PredictorStep, "inputs" | "outputs">): boolean {
  return Object.keys(inputs).length === 0 || Object.keys(outputs ?? {}).length === 0;
}

/**
 * Whether a component has demonstrations, or may get them from runs on train: on some example, the
 * inputs that are known without a run are not too long alone.
 */
export function canShow(component: Component, { train, inputsOf }: SearchSpace): boolean {
  if (component.kind !== "demos") return false;
  const isShort = (id: string): boolean =>
    inputsOf === undefined ||
    JSON.stringify(withoutImages(inputsOf(component.path, id))).length <= longest;
  return component.value.length > 0 || train.some(isShort);
}

/**
 * A step's inputs with the images of its example for their placeholders; `null` where the example
 * lacks one of them.
 */
function withImagesOf(exampleInput: unknown, inputs: JsonObject): JsonObject | null {
  if (placeholdersIn(inputs).length === 0) return inputs;
  const known = imagesOf(exampleInput);
  const whole = mapTexts(inputs, (text) => known.get(text) ?? text) as JsonObject;
  return placeholdersIn(whole).length === 0 ? whole : null;
}

/**
 * A demonstration of each predictor and example of train whose outputs labels name, in the order of
 * train. Its inputs are those of the last of these rollouts, and otherwise the program's inputs
 * that the predictor takes; without any there is none.
 */
export function labelledDemonstrations(
  { components, train, labelledOutputsOf, inputOf, inputsOf, clusterOf }: SearchSpace,
  rollouts: readonly Rollout[],
): readonly PredictorDemonstration[] {
  if (labelledOutputsOf === undefined) return [];
  const seen = new Map(
    rollouts.flatMap(({ exampleId, lesson }) =>
      (lesson?.steps ?? []).map(
        ({ predictor, inputs }) => [JSON.stringify([predictor, exampleId]), inputs] as const,
      ),
    ),
  );
  const seenInputs = (predictor: string, exampleId: string): JsonObject | null => {
    const inputs = seen.get(JSON.stringify([predictor, exampleId]));
    return inputs === undefined ? null : withImagesOf(inputOf?.(exampleId), inputs);
  };
  const predictors = [
    ...new Set(components.filter(({ kind }) => kind === "demos").map(predictorOf)),
  ];
  return train.flatMap((exampleId) =>
    predictors.flatMap((predictor) => {
      const outputs = labelledOutputsOf(predictor, exampleId);
      if (outputs === null) return [];
      const inputs = seenInputs(predictor, exampleId) ?? inputsOf?.(predictor, exampleId) ?? {};
      const isShort = JSON.stringify(withoutImages([inputs, outputs])).length <= longest;
      if (!isShort || Object.keys(inputs).length === 0) return [];
      const cluster = clusterOf?.(exampleId);
      const about = { exampleId, ...(cluster !== undefined && { cluster }) };
      return [{ predictor, demonstration: { ...about, inputs, outputs } }];
    }),
  );
}

/**
 * The components with these demonstrations, in their order, for each predictor in place of those
 * that it has; a predictor without any shows none. Components that stay the same keep their object
 * identity.
 *
 * @param nearest by predictor; the others show all that they have
 */
export function withDemonstrations(
  components: Candidate,
  demonstrations: readonly PredictorDemonstration[],
  nearest: ReadonlyMap<string, NearestDemonstrations> = new Map(),
): Candidate {
  const byPredictor = Map.groupBy(demonstrations, ({ predictor }) => predictor);
  return components.map((component): Component => {
    if (component.kind !== "demos") return component;
    const { kind, path } = component;
    const value = (byPredictor.get(path) ?? []).map(
      ({ demonstration }): Demonstration => demonstration,
    );
    const choice = nearest.get(path);
    const isSame =
      JSON.stringify([value, choice]) === JSON.stringify([component.value, component.nearest]);
    return isSame ? component : { kind, path, value, ...(choice && { nearest: choice }) };
  });
}

/**
 * The default score from which a run passes: the upper quartile of the runs' scores
 * (by nearest rank), or the lowest score above 0 if that is higher. Of scores that are 0 or 1 it is
 * 1. `Infinity` where no score is above 0.
 */
export function passingScore(rollouts: readonly Rollout[]): number {
  const scores = rollouts
    .flatMap(({ score }) => (score.kind === "scored" ? [score.value] : []))
    .toSorted((one, other) => one - other);
  const quartile = scores[Math.ceil(0.75 * scores.length) - 1] ?? Infinity;
  const positive = scores.find((score) => score > 0) ?? Infinity;
  return Math.max(quartile, positive);
}

const good = 0.7;

/**
 * The default score from which a run is good enough to be shown: .7 if any of the runs reaches it,
 * else their passing score. Where all scores are 0, .7.
 */
export function goodScore(rollouts: readonly Rollout[]): number {
  const isAnyGood = rollouts.some(({ score }) => score.kind === "scored" && score.value >= good);
  const passing = passingScore(rollouts);
  return isAnyGood || !Number.isFinite(passing) ? good : passing;
}

/** A demonstration with what other runs of its example say of its outputs. */
export interface AgreedDemonstration extends PredictorDemonstration {
  /** Number of runs with these outputs that passed the threshold; at least 1. */
  readonly passed: number;
  /** Number of runs with these outputs, whatever their score. */
  readonly seen: number;
}

/**
 * One demonstration for each example and predictor, from all runs of the example, whichever
 * candidates they were of. Of several it is the one whose outputs came up in the most passing runs;
 * then the one whose runs passed more often; then the one of the higher score; then the earlier
 * run's, and of one run the later call. A step that was wrong, in a run that was right by luck, is
 * seldom wrong in the same way twice. Calls that feedback blames give none, unless it blames all
 * that the predictor has.
 *
 * In the order of the rollouts in which each example first gave one.
 */
export function agreedDemonstrations(
  rollouts: readonly Rollout[],
  rules: DemonstrationRules,
): readonly AgreedDemonstration[] {
  const counted = countedOutputs(rollouts);
  const best = new Map<string, { readonly one: AgreedDemonstration; readonly rollout: Rollout }>();
  const passing = rollouts.flatMap((rollout) =>
    demonstrationsOf(rollout, rules).map((given) => ({ ...given, rollout })),
  );
  for (const { rollout, predictor, demonstration } of unblamed(passing)) {
    const { exampleId, outputs } = demonstration;
    const place = JSON.stringify([exampleId, predictor]);
    const scores = counted.get(keyOf(exampleId, predictor, outputs)) ?? [];
    const passed = scores.filter((score) => score >= rules.threshold).length;
    const one = { predictor, demonstration, passed, seen: scores.length };
    const before = best.get(place);
    const gain = before === undefined ? 1 : preference(one, before.one);
    // Of equal calls the last of one run, but the first run's.
    if (gain > 0 || (gain === 0 && before?.rollout === rollout)) best.set(place, { one, rollout });
  }
  return [...best.values()].map(({ one }) => one);
}

/** Scores of the runs in which a predictor gave certain outputs; a run counts once. */
function countedOutputs(rollouts: readonly Rollout[]): ReadonlyMap<string, readonly number[]> {
  const counted = new Map<string, number[]>();
  for (const { exampleId, score, lesson } of rollouts) {
    if (lesson === undefined || score.kind !== "scored") continue;
    const keys = lesson.steps.flatMap(({ predictor, outputs }) =>
      outputs === null ? [] : [keyOf(exampleId, predictor, outputs)],
    );
    for (const key of new Set(keys)) {
      const scores = counted.get(key) ?? [];
      scores.push(lesson.score ?? score.value);
      counted.set(key, scores);
    }
  }
  return counted;
}

function keyOf(exampleId: string, predictor: string, outputs: object): string {
  return canonicalJson([exampleId, predictor, outputs]);
}

/** Above 0 if the first is to be preferred, below 0 if the second. */
function preference(one: AgreedDemonstration, other: AgreedDemonstration): number {
  return (
    one.passed - other.passed ||
    one.passed / one.seen - other.passed / other.seen ||
    (one.demonstration.score ?? 0) - (other.demonstration.score ?? 0)
  );
}

/**
 * Those that no feedback blames, of each predictor that has such; where it is blamed for every
 * call, as by a metric that comments on whatever it sees, blame tells nothing and all of its stay.
 */
function unblamed<TDemonstration extends Pick<PredictorDemonstration, "predictor" | "isBlamed">>(
  demonstrations: readonly TDemonstration[],
): readonly TDemonstration[] {
  const others = new Set(
    demonstrations.flatMap(({ predictor, isBlamed }) => (isBlamed === true ? [] : [predictor])),
  );
  return demonstrations.filter(
    ({ predictor, isBlamed }) => isBlamed !== true || !others.has(predictor),
  );
}
