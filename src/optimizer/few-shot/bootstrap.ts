import type { Rollout } from "../evaluation/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { NumberedRollout, PredictorDemonstration } from "../demonstrations/index.ts";
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
 * Runs the program on train, as far as it pays: rollouts that were paid for before come first, and
 * each example is run until it passes or the rounds are over. Spends at most a third of what is
 * left, so that most of it tests what was found.
 *
 * @param examples those to run
 */
export async function bootstrapRollouts(
  space: SearchSpace,
  run: OptimizerRun,
  settings: FewShotSettings,
  examples: readonly string[] = space.train,
): Promise<readonly NumberedRollout[]> {
  const known: NumberedRollout[] = [...(run.paid ?? [])];
  if (settings.maxBootstrapped === 0) return known;
  const held = new Set(known.map(({ rollout }) => rollout));
  let left = Math.floor(run.rolloutsLeft(0) / 3);
  for (let round = 0; round < settings.rounds && left > 0; round++) {
    const threshold = settings.threshold ?? passingScore(known.map(({ rollout }) => rollout));
    const passed = new Set(
      known.flatMap(({ rollout }) => (reached(rollout, threshold) ? [rollout.exampleId] : [])),
    );
    const temperature = round === 0 ? settings.teacherTemperature : settings.temperature;
    const open = examples.filter((id) => !passed.has(id));
    while (open.length > 0 && left > 0) {
      const exampleIds = open.splice(0, left);
      const [rollouts = []] = await run.evaluate([
        {
          candidate: space.components,
          split: "train",
          exampleIds,
          lm: "teacher",
          ...(temperature !== undefined && { temperature }),
          ...(round > 0 && { round }),
        },
      ]);
      // What was paid for before comes back for nothing.
      const fresh = rollouts.filter((rollout) => !held.has(rollout));
      known.push(...fresh.map((rollout) => ({ rollout, round })));
      left -= exampleIds.length - (rollouts.length - fresh.length);
    }
  }
  return known;
}

/**
 * Examples of train of which a run could show more than their labels tell: all of them where a
 * teacher is to run them, or the settings say how.
 */
export function uncovered(
  { train, isCoveredByLabels }: SearchSpace,
  { maxLabelled, rounds, threshold }: FewShotSettings,
  hasTeacher: boolean,
): readonly string[] {
  const mustRun = hasTeacher || rounds > 1 || threshold !== undefined || maxLabelled === 0;
  if (mustRun || isCoveredByLabels === undefined) return train;
  return train.filter((id) => !isCoveredByLabels(id));
}

/** Labels that an artifact carries at most, of which calls choose the nearest. */
const maxLabels = 1_000;

/** What rollouts and labels have to show. */
export function demonstrationPool(
  space: SearchSpace,
  rollouts: readonly NumberedRollout[],
  { threshold, longest, maxBootstrapped, maxLabelled }: FewShotSettings,
): DemonstrationPool {
  const { clusterOf, inputOf } = space;
  const bootstrapped =
    maxBootstrapped === 0
      ? []
      : agreedDemonstrations(rollouts, {
          threshold: threshold ?? passingScore(rollouts.map(({ rollout }) => rollout)),
          longest,
          clusterOf,
          inputOf,
        });
  const taken = new Set(bootstrapped.map(keyOfDemonstration));
  const labelled =
    maxLabelled === 0
      ? []
      : labelledDemonstrations(
          space,
          rollouts.map(({ rollout }) => rollout),
          { longest },
        )
          .slice(0, maxLabels)
          .filter((one) => !taken.has(keyOfDemonstration(one)));
  return { bootstrapped: inOrderOf(space.train, bootstrapped), labelled };
}

function reached({ score, lesson }: Rollout, threshold: number): boolean {
  return score.kind === "scored" && (lesson?.score ?? score.value) >= threshold;
}

function inOrderOf(
  ids: readonly string[],
  demonstrations: readonly PredictorDemonstration[],
): readonly PredictorDemonstration[] {
  const places = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ demonstration }: PredictorDemonstration): number =>
    places.get(demonstration.exampleId) ?? ids.length;
  return demonstrations
    .map(({ predictor, demonstration }) => ({ predictor, demonstration }))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

function keyOfDemonstration({ predictor, demonstration }: PredictorDemonstration): string {
  return JSON.stringify([predictor, demonstration.exampleId]);
}
