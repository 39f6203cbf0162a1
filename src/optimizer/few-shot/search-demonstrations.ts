import type {
  Candidate,
  DemonstrationVectors,
  Json,
  NearestDemonstrations,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { bestOf } from "../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { searchLog } from "../contract/search-log.ts";
import { bestSupported, withDemonstrations } from "../demonstrations/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import { selectionOf } from "../evaluation/index.ts";
import type { FewShotSettings } from "./few-shot-settings.ts";
import type { DemonstrationPool } from "./bootstrap.ts";
import { bootstrapRollouts, demonstrationPool, uncovered } from "./bootstrap.ts";
import type { ShownSet, DemonstrationSet } from "./draw-sets.ts";
import { drawnSet, fixedSets, newSet, setKey } from "./draw-sets.ts";
import { raceSets, setsThatFit } from "./race-sets.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Sets that are raced together. */
const perGeneration = 8;

/** What a search has to work with. */
interface Search {
  readonly space: SearchSpace;
  readonly run: OptimizerRun;
  readonly settings: FewShotSettings;
  readonly records: SetRecords;
  readonly pool: DemonstrationPool;
  /** The whole pool, of which each call sees the nearest. */
  readonly nearest: readonly ShownSet[];
  /** Ids of val in the order of every race. */
  readonly order: readonly string[];
  /** Keys of the sets so far. */
  readonly known: Set<string>;
}

/**
 * Bootstraps demonstrations on train, then races sets of them on val, generation by generation,
 * drawn at random, as BootstrapFewShotWithRandomSearch does.
 */
export async function searchDemonstrations(
  space: SearchSpace,
  run: OptimizerRun,
  settings: FewShotSettings,
): Promise<OptimizerOutcome> {
  const records = await startRecords(space, run);
  const end = (reason: StopReason, detail?: string): OptimizerOutcome => {
    const { candidates } = records.log;
    const best = bestSupported(bestOf(candidates) as CandidateRecord, candidates, {
      space,
      run,
      rolloutsOf: ({ components }) => records.rolloutsOf(components),
    });
    return {
      reason,
      ...(detail !== undefined && { detail }),
      candidates,
      rejections: records.log.rejections,
      best,
    };
  };
  try {
    const stopped = run.stopAsked();
    if (stopped !== null) return end("stopper", stopped);
    const examples = uncovered(space, settings, run.hasTeacher);
    const rollouts = await bootstrapRollouts(space, run, settings, examples);
    records.log.spent();
    const pool = demonstrationPool(space, rollouts, settings);
    if (pool.bootstrapped.length + pool.labelled.length === 0) {
      return end("all-tried", "no run on train passed, and no labels give demonstrations");
    }
    const order = run.random("few-shot-val", 0).shuffle(space.val);
    const nearest = await nearestSets(space, run, pool, settings);
    const known = new Set<string>();
    const search = { space, run, settings, records, pool, nearest, order, known };
    return end(...(await raceGenerations(search)));
  } catch (error) {
    // Work that a cap cut short does not count; everything before it does.
    if (EspalierError.isInstance(error) && error.kind === "budget") return end("budget");
    throw error;
  }
}

async function raceGenerations(
  search: Search,
): Promise<readonly [reason: StopReason, detail?: string]> {
  const { run, settings, records, order } = search;
  let left = settings.trials;
  for (let generation = 1; left > 0; generation++) {
    const most = Math.min(left, perGeneration);
    const sets = nextSets(search, generation, most);
    if (sets.length === 0) return ["all-tried"];
    const mustFinish = records.hasWhole();
    const fitting = setsThatFit(run, sets.length, { valSize: order.length, mustFinish });
    if (fitting === 0) return ["budget"];
    const stopped = run.stopAsked();
    if (stopped !== null) return ["stopper", stopped];
    for (const set of sets.slice(0, fitting)) search.known.add(setKey(set));
    await raceGeneration(search, sets.slice(0, fitting));
    left -= fitting;
  }
  return ["all-tried"];
}

/** The sets of a generation, all new. The first has the fixed ones and the nearest of the pool. */
function nextSets(
  { run, settings, pool, nearest, known }: Search,
  generation: number,
  most: number,
): readonly ShownSet[] {
  const fixed = fixedSets(pool, settings).map((demonstrations) => ({ demonstrations }));
  const random = run.random("few-shot", generation);
  const sets: ShownSet[] = [];
  const taken = new Set(known);
  const take = (set: ShownSet): void => {
    if (set.demonstrations.length === 0 || taken.has(setKey(set))) return;
    taken.add(setKey(set));
    sets.push(set);
  };
  if (generation === 1) for (const set of [...fixed, ...nearest]) take(set);
  while (sets.length < most) {
    const set = newSet(() => drawnSet(pool, settings, random), taken);
    if (set === undefined) break;
    take(set);
  }
  return sets.slice(0, most);
}

async function raceGeneration(
  { space, run, records, order }: Search,
  sets: readonly ShownSet[],
): Promise<void> {
  records.log.beginIteration();
  const racers = sets.map((set) => {
    const components = withDemonstrations(space.components, set.demonstrations, set.nearest);
    records.log.propose(components);
    return { components, rollouts: [] };
  });
  const { ahead, behind } = await raceSets(racers, {
    run,
    order,
    gainOf: (rollouts) => records.gainOf(rollouts),
    onStage: (all, rollouts) => {
      for (const index of all.keys()) {
        records.log.evaluated(run.summarize("val", rollouts[index] ?? []), "proposed");
      }
      records.log.spent();
    },
  });
  for (const { components, rollouts } of behind) {
    const gain = records.gainOf(rollouts).toFixed(4);
    const detail = `Left behind after ${rollouts.length} examples of val, with a gain of ${gain}.`;
    records.log.reject(components, "not-better-on-val", detail);
  }
  for (const { components, rollouts } of ahead) records.settle(components, rollouts);
  records.log.endIteration();
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
            const { embedder: by, ...rest } = await embedDemonstrations(shown, {
              embedder,
              signal,
            });
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

/** Candidates and rejections, by what sets show. */
interface SetRecords {
  readonly log: SearchLog;
  /** Gain over the seed on the examples that both have scores of; 0 without any. */
  gainOf(rollouts: readonly Rollout[]): number;
  /** Whether a set was decided on by all of val. */
  hasWhole(): boolean;
  /** On val, of components that were decided on. */
  rolloutsOf(components: Candidate): readonly Rollout[];
  /**
   * Decides on components run on all of val, or on so much of it as the budget allowed; none is
   * chosen on a part of val beside one that was seen on all of it.
   */
  settle(components: Candidate, rollouts: readonly Rollout[]): void;
}

/** Evaluates the program as it is on all of val. */
async function startRecords(space: SearchSpace, run: OptimizerRun): Promise<SetRecords> {
  const log = searchLog(run, space);
  const seed = await log.seed();
  const decided = new Map<Candidate, readonly Rollout[]>([[space.components, seed]]);
  const ofSeed = byExample(seed);
  let hasWhole = false;
  const gainOf: SetRecords["gainOf"] = (rollouts) => {
    const scored = rollouts.filter(
      ({ exampleId, score }) =>
        score.kind === "scored" && ofSeed.get(exampleId)?.score.kind === "scored",
    );
    const before = scored.flatMap(({ exampleId }) => ofSeed.get(exampleId) ?? []);
    const valueOf = (of: readonly Rollout[]): number => run.summarize("val", of).value ?? 0;
    return scored.length === 0 ? 0 : valueOf(scored) - valueOf(before);
  };
  return {
    log,
    gainOf,
    hasWhole: () => hasWhole,
    rolloutsOf: (components) => decided.get(components) ?? [],
    settle: (components, rollouts) => {
      const known = byExample(rollouts);
      const inOrder = space.val.flatMap((id) => known.get(id) ?? []);
      const { length: seen } = inOrder;
      const isWhole = seen === space.val.length;
      if (hasWhole && !isWhole) {
        const detail = `Seen on ${seen} examples of val, where another was seen on all of it.`;
        log.reject(components, "not-better-on-val", detail);
        return;
      }
      hasWhole ||= isWhole;
      decided.set(components, inOrder);
      const found = selectionOf(run.summarize("val", inOrder));
      const value = (log.candidates[0]?.selection.value ?? 0) + gainOf(inOrder);
      log.decide(components, {
        by: "few-shot",
        selection: isWhole || found === null ? found : { ...found, value, seen },
        where: isWhole ? "on val" : `by ${seen} examples of val`,
      });
    },
  };
}

function byExample(rollouts: readonly Rollout[]): ReadonlyMap<string, Rollout> {
  return new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
}
