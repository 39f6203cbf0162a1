import type { Rollout } from "../evaluation/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { PredictorDemonstration } from "../demonstrations/index.ts";
import {
  agreedDemonstrations,
  labelledDemonstrations,
  passingScore,
} from "../demonstrations/index.ts";
import type { FewShotSettings } from "./few-shot-settings.ts";

/** What a search of demonstrations chooses from, in the order of train. */
export interface DemonstrationPool {
  readonly bootstrapped: readonly PredictorDemonstration[];
  /** Of examples and predictors without a bootstrapped one. */
  readonly labelled: readonly PredictorDemonstration[];
}

/**
 * Runs the program on train, as far as it pays: examples that a rollout paid for before has passed
 * are left out. Spends at most a third of what is left, so that most of it tests what was found.
 *
 * @param examples those to run
 */
export async function bootstrapRollouts(
  space: SearchSpace,
  run: OptimizerRun,
  {
    maxBootstrapped,
    teacherTemperature: temperature,
  }: Pick<FewShotSettings, "maxBootstrapped" | "teacherTemperature">,
  examples: readonly string[] = space.train,
): Promise<readonly Rollout[]> {
  const known: Rollout[] = [...(run.paid ?? [])];
  if (maxBootstrapped === 0) return known;
  const held = new Set(known);
  const threshold = passingScore(known);
  const passed = new Set(
    known.flatMap(({ exampleId, score, lesson }) =>
      score.kind === "scored" && (lesson?.score ?? score.value) >= threshold ? [exampleId] : [],
    ),
  );
  const open = examples.filter((id) => !passed.has(id));
  let left = Math.floor(run.rolloutsLeft(0) / 3);
  while (open.length > 0 && left > 0) {
    const exampleIds = open.splice(0, left);
    const [rollouts = []] = await run.evaluate([
      {
        candidate: space.components,
        split: "train",
        exampleIds,
        lm: "teacher",
        ...(temperature !== undefined && { temperature }),
      },
    ]);
    // What was paid for before comes back for nothing.
    const fresh = rollouts.filter((rollout) => !held.has(rollout));
    known.push(...fresh);
    left -= exampleIds.length - (rollouts.length - fresh.length);
  }
  return known;
}

/**
 * Examples of train of which a run could show more than their labels tell: all of them where a
 * teacher is to run them, or no label is to be shown.
 */
export function uncovered(
  { train, isCoveredByLabels }: SearchSpace,
  { maxLabelled }: FewShotSettings,
  hasTeacher: boolean,
): readonly string[] {
  if (hasTeacher || maxLabelled === 0 || isCoveredByLabels === undefined) return train;
  return train.filter((id) => !isCoveredByLabels(id));
}

/** Labels that an artifact carries at most, of which calls choose the nearest. */
const maxLabels = 1_000;

/**
 * What rollouts and labels have to show.
 *
 * @param threshold lowest score of a run that gives demonstrations
 */
export function demonstrationPool(
  space: SearchSpace,
  rollouts: readonly Rollout[],
  {
    maxBootstrapped,
    maxLabelled,
    threshold = passingScore(rollouts),
  }: Pick<FewShotSettings, "maxBootstrapped" | "maxLabelled"> & { readonly threshold?: number },
): DemonstrationPool {
  const rules = { ...space, threshold };
  const bootstrapped = maxBootstrapped === 0 ? [] : agreedDemonstrations(rollouts, rules);
  const taken = new Set(bootstrapped.map(keyOfDemonstration));
  const labelled =
    maxLabelled === 0
      ? []
      : labelledDemonstrations(space, rollouts)
          .slice(0, maxLabels)
          .filter((one) => !taken.has(keyOfDemonstration(one)));
  const places = new Map(space.train.map((id, index) => [id, index]));
  const placeOf = ({ demonstration: { exampleId } }: PredictorDemonstration): number =>
    places.get(exampleId) ?? places.size;
  return {
    bootstrapped: bootstrapped.toSorted((one, other) => placeOf(one) - placeOf(other)),
    labelled,
  };
}

function keyOfDemonstration({ predictor, demonstration }: PredictorDemonstration): string {
  return JSON.stringify([predictor, demonstration.exampleId]);
}
