import type { NearestDemonstrations, RandomSource } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { PredictorDemonstration } from "../demonstrations/index.ts";
import type { DemonstrationPool } from "./bootstrap.ts";
import type { FewShotSettings } from "./few-shot-settings.ts";

type SetSizes = Pick<FewShotSettings, "maxBootstrapped" | "maxLabelled">;

/** Demonstrations of all predictors, shown together. */
export type DemonstrationSet = readonly PredictorDemonstration[];

/** A set of which prompts show all demonstrations, or the nearest at each call. */
export interface ShownSet {
  readonly demonstrations: DemonstrationSet;
  /** By predictor. Absent: all are shown. */
  readonly nearest?: ReadonlyMap<string, NearestDemonstrations>;
}

/** Draws without a new set before a search gives up. */
const maxDuplicateDraws = 100;

/**
 * Sets that are tried whatever was seen: the first examples that pass, as BootstrapFewShot takes
 * them; labels alone.
 */
export function fixedSets(pool: DemonstrationPool, settings: SetSizes): readonly ShownSet[] {
  const { maxBootstrapped, maxLabelled } = settings;
  const passed = byPredictor(pool.bootstrapped, (given) => given.slice(0, maxBootstrapped));
  const labels = byPredictor(pool.labelled, (given) => given.slice(0, maxLabelled));
  return [padded(passed, pool, settings), labels].map((demonstrations) => ({ demonstrations }));
}

/**
 * A random set. For each predictor, a number from 1 to the most comes from runs, and labels fill up
 * all of the room that is left, half of it or a quarter, as one draw says for all predictors: small
 * models do better with few.
 */
function drawnSet(
  pool: DemonstrationPool,
  settings: SetSizes,
  random: RandomSource,
): DemonstrationSet {
  const ranked = (given: readonly PredictorDemonstration[]): DemonstrationSet =>
    given
      .map((one) => ({ one, rank: random.random() }))
      .toSorted((left, right) => right.rank - left.rank)
      .map(({ one }) => one);
  const drawn = byPredictor(pool.bootstrapped, (given) => {
    const size = 1 + random.below(Math.min(settings.maxBootstrapped, given.length));
    return ranked(given).slice(0, size);
  });
  const share = 1 / 2 ** random.below(3);
  return padded(drawn, { ...pool, labelled: ranked(pool.labelled) }, settings, share);
}

/**
 * Sets that differ from one another and from those known, none of them empty: the first ones, then
 * random ones, up to `most` in all; fewer where a pool gives no more.
 *
 * @param known keys of sets
 */
export function newSets(
  pool: DemonstrationPool,
  settings: SetSizes,
  {
    first,
    known,
    most,
    random,
  }: {
    readonly first: readonly ShownSet[];
    readonly known?: Iterable<string>;
    readonly most: number;
    readonly random: RandomSource;
  },
): readonly ShownSet[] {
  const taken = new Set(known);
  const sets: ShownSet[] = [];
  const take = (set: ShownSet): boolean => {
    const key = setKey(set);
    if (set.demonstrations.length === 0 || taken.has(key)) return false;
    taken.add(key);
    sets.push(set);
    return true;
  };
  for (const set of first) take(set);
  for (let idle = 0; sets.length < most && idle < maxDuplicateDraws; idle++) {
    if (take({ demonstrations: drawnSet(pool, settings, random) })) idle = -1;
  }
  return sets.slice(0, most);
}

/** Identifies a set, whatever its order. */
export function setKey({ demonstrations, nearest }: ShownSet): string {
  const choices = [...(nearest ?? [])].map(([predictor, { k }]) => `${predictor} ${k}`);
  return contentHash([
    ...choices,
    ...demonstrations
      .map(({ predictor, demonstration: { exampleId, outputs } }) =>
        contentHash([predictor, exampleId, outputs]),
      )
      .toSorted(),
  ]);
}

/** Labels fill up what runs leave, or a share of it. */
function padded(
  set: DemonstrationSet,
  { labelled }: DemonstrationPool,
  { maxLabelled }: SetSizes,
  share = 1,
): DemonstrationSet {
  const taken = Map.groupBy(set, ({ predictor }) => predictor);
  const labels = byPredictor(labelled, (given, predictor) => {
    const room = Math.max(0, maxLabelled - (taken.get(predictor)?.length ?? 0));
    return given.slice(0, Math.ceil(share * room));
  });
  return [...set, ...labels];
}

function byPredictor(
  all: DemonstrationSet,
  choose: (given: DemonstrationSet, predictor: string) => DemonstrationSet,
): DemonstrationSet {
  return [...Map.groupBy(all, ({ predictor }) => predictor)].flatMap(([predictor, given]) =>
    choose(given, predictor),
  );
}
