import type { RandomSource } from "../../../contract/index.ts";
import type { DemonstrationPool } from "../../few-shot/bootstrap.ts";
import type { DemonstrationSet } from "../../few-shot/draw-sets.ts";
import { drawnSet, fixedSets, setKey } from "../../few-shot/draw-sets.ts";
import type { FewShotSettings } from "../../few-shot/few-shot-settings.ts";
import type { MiproV2Settings } from "../settings/mipro-v2-settings.ts";

/** Runs that inform the writer of instructions where no prompt shows any. */
const informing = 3;
/** Draws of a set that a predictor knows already before it gets no more. */
const fruitlessDraws = 20;

/** Whether prompts show no demonstrations. */
export function isZeroShot({ maxBootstrapped, maxLabelled }: MiproV2Settings): boolean {
  return maxBootstrapped + maxLabelled === 0;
}

/** The settings by which `few-shot` runs train and draws sets. */
export function bootstrappingOf(settings: MiproV2Settings): FewShotSettings {
  const { maxLabelled, threshold, longest, teacherTemperature } = settings;
  return {
    maxBootstrapped: isZeroShot(settings) ? informing : settings.maxBootstrapped,
    maxLabelled,
    trials: 1,
    rounds: 1,
    ...(threshold !== undefined && { threshold }),
    longest,
    ...(teacherTemperature !== undefined && { teacherTemperature }),
    temperature: 1,
  };
}

/**
 * Sets of demonstrations of one predictor, all different: none; labels alone; the first runs of
 * train that pass; then random ones of random size, up to `most` sets in all. Sets that the pool
 * cannot fill are left out, so there may be only the empty one.
 */
export function demoSets(
  predictor: string,
  pool: DemonstrationPool,
  {
    settings,
    most,
    random,
  }: {
    readonly settings: FewShotSettings;
    readonly most: number;
    readonly random: RandomSource;
  },
): readonly DemonstrationSet[] {
  const own = {
    bootstrapped: pool.bootstrapped.filter((one) => one.predictor === predictor),
    labelled: pool.labelled.filter((one) => one.predictor === predictor),
  };
  const sets: DemonstrationSet[] = [[]];
  const known = new Set([setKey({ demonstrations: [] })]);
  const take = (set: DemonstrationSet): void => {
    const key = setKey({ demonstrations: set });
    if (sets.length >= most || known.has(key)) return;
    known.add(key);
    sets.push(set);
  };
  const [unshuffled = [], labels = []] = fixedSets(own, settings);
  take(labels);
  take(unshuffled);
  for (let draw = 0; draw < fruitlessDraws * most && sets.length < most; draw++) {
    take(drawnSet(own, settings, { random, credits: null }));
  }
  return sets;
}
