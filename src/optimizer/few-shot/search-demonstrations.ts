import type { DemonstrationVectors, Json, NearestDemonstrations } from "../../contract/index.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { Ending } from "../contract/search-log.ts";
import { searchLog, withinBudget } from "../contract/search-log.ts";
import { bestSupported, withDemonstrations } from "../demonstrations/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { FewShotSettings } from "./few-shot-settings.ts";
import type { DemonstrationPool } from "./bootstrap.ts";
import { bootstrapRollouts, demonstrationPool, uncovered } from "./bootstrap.ts";
import type { ShownSet, DemonstrationSet } from "./draw-sets.ts";
import { fixedSets, newSets, setKey } from "./draw-sets.ts";
import { panelSize, raceCost, raceSets, setsThatFit } from "./race-sets.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { sampleOf } from "../task/val-sample.ts";

/** Sets that are raced together. */
const perGeneration = 8;

/**
 * Bootstraps demonstrations on train, then races sets of them on val, generation by generation,
 * drawn at random, as BootstrapFewShotWithRandomSearch does. The first generation has the fixed
 * sets, too, and the nearest of the pool.
 */
export async function searchDemonstrations(
  space: SearchSpace,
  run: OptimizerRun,
  settings: FewShotSettings,
): Promise<OptimizerOutcome> {
  const panel = sampleOf(space.val, panelSize(space, run.rolloutsExpected()), run.seed);
  const log = searchLog("few-shot", space, run, panel);
  const ofSeed = new Map((await log.seed()).map((rollout) => [rollout.exampleId, rollout]));
  const ending = await withinBudget(search);
  return log.outcome(ending ?? ["budget"], bestSupported(space, run, log));

  async function search(): Promise<Ending> {
    const stopped = run.stopAsked();
    if (stopped !== null) return ["stopper", stopped];
    const examples = uncovered(space, settings, run.hasTeacher);
    const rollouts = await bootstrapRollouts(space, run, settings, examples);
    log.spent();
    const pool = demonstrationPool(space, rollouts, settings);
    if (pool.bootstrapped.length + pool.labelled.length === 0) {
      return ["all-tried", "no run on train passed, and no labels give demonstrations"];
    }
    // In the order of every race.
    const order = run.random("few-shot-val", 0).shuffle(panel);
    let first = [...fixedSets(pool, settings), ...(await nearestSets(space, run, pool, settings))];
    const known = new Set<string>();
    let left = settings.trials;
    for (let generation = 1; left > 0; generation++) {
      const most = Math.min(left, perGeneration);
      const random = run.random("few-shot", generation);
      const sets = newSets(pool, settings, { first, known, most, random });
      first = [];
      if (sets.length === 0) break;
      const fitting = setsThatFit(run.rolloutsLeft(0), sets.length, order.length);
      // Asked first, since the question notes which cap leaves no room for one set.
      const fitsOne = run.fits({ rollouts: raceCost(1, order.length), reflectionCalls: 0 });
      if (!fitsOne || fitting === 0) return ["budget"];
      const stopped = run.stopAsked();
      if (stopped !== null) return ["stopper", stopped];
      for (const set of sets.slice(0, fitting)) known.add(setKey(set));
      await race(sets.slice(0, fitting), order);
      left -= fitting;
    }
    return ["all-tried"];
  }

  async function race(sets: readonly ShownSet[], order: readonly string[]): Promise<void> {
    log.beginIteration();
    const racers = sets.map((set) => {
      const components = withDemonstrations(space.components, set.demonstrations, set.nearest);
      log.propose(components);
      return { components, rollouts: [] };
    });
    const { ahead, behind } = await raceSets(racers, { run, log, order, gainOf });
    for (const { components, rollouts } of behind) {
      const gain = gainOf(rollouts).toFixed(4);
      const detail = `Left behind after ${rollouts.length} examples of val, with a gain of ${gain}.`;
      log.reject(components, "not-better-on-val", detail);
    }
    for (const { components, rollouts } of ahead) log.decide(components, log.inOrder(rollouts));
    log.endIteration();
  }

  /** Gain over the seed on the examples that both have scores of; 0 without any. */
  function gainOf(rollouts: readonly Rollout[]): number {
    const pairs = rollouts.flatMap((own): readonly (readonly [Rollout, Rollout])[] => {
      const before = ofSeed.get(own.exampleId);
      const areScored = own.score.kind === "scored" && before?.score.kind === "scored";
      return areScored ? [[own, before]] : [];
    });
    const valueOf = (side: 0 | 1): number =>
      run.summarize(
        "val",
        pairs.map((pair) => pair[side]),
      ).value ?? 0;
    return valueOf(0) - valueOf(1);
  }
}

/**
 * All demonstrations that were found, with each number of nearest ones that is to be tried and that
 * leaves some out. Vectors are asked for once; the run keeps them.
 */
async function nearestSets(
  { embedder }: SearchSpace,
  run: OptimizerRun,
  { bootstrapped, labelled }: DemonstrationPool,
  { nearest }: FewShotSettings,
): Promise<readonly ShownSet[]> {
  if (nearest === null) return [];
  const demonstrations: DemonstrationSet = [...bootstrapped, ...labelled];
  const pools = Map.groupBy(demonstrations, ({ predictor }) => predictor);
  const largest = Math.max(...[...pools.values()].map(({ length }) => length));
  const tried = [...new Set(nearest.k)].filter((k) => k < largest);
  if (tried.length === 0) return [];
  const vectors =
    nearest.by === "words" || embedder === undefined
      ? null
      : await run.consult(0, async (signal): Promise<Readonly<Record<string, Json>>> => {
          // Loaded late: it brings all that renders prompts.
          const { embedDemonstrations } = await import("../../program/index.ts");
          const made: Record<string, Json> = {};
          for (const [predictor, pool] of pools) {
            const shown = pool.map(({ demonstration }) => demonstration);
            const found = await embedDemonstrations(shown, { embedder, signal });
            const { embedder: by, ...rest } = found;
            made[predictor] = { ...rest, embedder: { ...by } };
          }
          return made;
        });
  const byOf = (predictor: string): NearestDemonstrations["by"] =>
    vectors === null ? "words" : (vectors[predictor] as unknown as DemonstrationVectors);
  return tried.map((k) => ({
    demonstrations,
    nearest: new Map([...pools.keys()].map((predictor) => [predictor, { k, by: byOf(predictor) }])),
  }));
}
