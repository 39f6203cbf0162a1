import type { RandomSource } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { WeightsByPredictor } from "../../program/index.ts";
import { decidedLabel, weightsIn } from "../../program/index.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { Ending } from "../contract/search-log.ts";
import { searchLog, withinBudget } from "../contract/search-log.ts";
import type { Rollout, RolloutDecision, StepEvaluation } from "../evaluation/index.ts";
import { selectionOf } from "../evaluation/index.ts";
import type { Setting } from "../parameter-search/tunable.ts";
import { withSetting } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { WeighedParameter } from "./weights.ts";
import { valuesToTry } from "./weights.ts";

/** Passes over all weights; a pass that improves nothing is the last. */
const maxPasses = 5;

/** Fits weights on val, checks them out of fold, and accepts them if they hold there. */
export async function fitDecisions(
  space: SearchSpace,
  run: OptimizerRun,
  weights: readonly WeighedParameter[],
): Promise<OptimizerOutcome> {
  const log = searchLog("decision-fit", space, run);
  const seedRollouts = await log.seed("What the fit started from.");
  const judgedRollouts = seedRollouts.filter(({ score }) => score.kind !== "unscored");
  const ids = judgedRollouts.map(({ exampleId }) => exampleId);
  const folds = clusterFolds(ids, space.clusterOf, run.random("decision-fit", 0));
  const known = outcomes(space, run, judgedRollouts);
  const own: Setting = Object.fromEntries(weights.map(({ name, value }) => [name, value]));
  /** Settings under which some example did not finish. */
  const uncounted = new Set<string>();
  let stopped: string | null = null;

  log.beginIteration();
  const [reason, said] = (await withinBudget(fit)) ?? (["budget"] as const);
  // What a stop cut off goes on when the run is reopened.
  if (reason === "stopper") return log.outcome([reason, said]);
  log.endIteration();
  const unfinished =
    uncounted.size > 0 &&
    `${uncounted.size} settings were not counted: ${known.unfinished()} examples could not be run under all of them.`;
  const detail = [said, unfinished].filter(Boolean).join(" ");
  return log.outcome([reason, detail === "" ? undefined : detail]);

  async function fit(): Promise<Ending> {
    const setting = await fittedOn(ids);
    const held = await outOfFold();
    if (stopped !== null) return ["stopper", stopped];
    const { value: ofOwn } = await measured(own, ids);
    log.spent();
    const components = withSetting(space.components, setting);
    if (components.every((component, index) => component === space.components[index])) {
      return ["all-tried", "No weights are better than the program's own."];
    }
    const after = await measured(setting, ids);
    // Without the examples that did not finish, the two would not be comparable.
    const isBetter = held.coverage === 1 && held.value !== null && held.value > (ofOwn ?? 0);
    const detail = `${figure(after.value)} on val, where the program's own weights have ${figure(ofOwn ?? 0)}; ${figure(held.value)} out of fold, in ${folds.length} folds of whole clusters.`;
    log.propose(components);
    log.evaluated(after.rollouts);
    const selection = selectionOf(after);
    if (selection === null || !isBetter) {
      log.reject(components, "not-better-on-val", detail);
      return ["all-tried", detail];
    }
    log.accept(components, selection, detail);
    return ["all-tried"];
  }

  /** The best weights found for these examples; the program's own unless others are better. */
  async function fittedOn(exampleIds: readonly string[]): Promise<Setting> {
    let best = own;
    let most = (await valueAt(own, exampleIds)) ?? Number.NEGATIVE_INFINITY;
    for (let pass = 0; pass < maxPasses; pass++) {
      const before = best;
      for (const weight of weights) {
        stopped ??= run.stopAsked();
        if (stopped !== null) return best;
        const from = best;
        const decisions = known.decisionsOn(exampleIds);
        for (const value of valuesToTry(weight, decisions, weights, from)) {
          const setting = { ...from, [weight.name]: value };
          const found = await valueAt(setting, exampleIds);
          if (found === null || found <= most) continue;
          [best, most] = [setting, found];
        }
      }
      if (best === before) break;
    }
    return best;
  }

  /** The objective over every fold under the weights that were fitted on the others. */
  async function outOfFold(): Promise<StepEvaluation> {
    const settings: Setting[] = [];
    for (const index of folds.keys())
      settings.push(await fittedOn(folds.toSpliced(index, 1).flat()));
    const rollouts = [];
    for (const [index, setting] of settings.entries()) {
      rollouts.push(...(await known.at(setting, folds[index] ?? [])));
    }
    return run.summarize("val", rollouts);
  }

  async function measured(
    setting: Setting,
    exampleIds: readonly string[],
  ): Promise<StepEvaluation> {
    return run.summarize("val", await known.at(setting, exampleIds));
  }

  /** `null` for weights under which some example did not finish: its score might be any. */
  async function valueAt(setting: Setting, exampleIds: readonly string[]): Promise<number | null> {
    const { value, coverage } = await measured(setting, exampleIds);
    if (coverage === 1) return value;
    uncounted.add(JSON.stringify(setting));
    return null;
  }
}

function figure(value: number | null): string {
  return value === null ? "no value" : value.toFixed(4);
}

/** Parts of the cross-validation. */
const maxFolds = 5;

/**
 * Divides examples into parts of whole clusters, dealt in random order; fewer parts if
 * there are fewer clusters.
 *
 * @throws EspalierError `dataset-invalid` for fewer than two clusters
 */
function clusterFolds(
  exampleIds: readonly string[],
  clusterOf: (exampleId: string) => string | undefined = () => undefined,
  random: RandomSource,
): readonly (readonly string[])[] {
  const clusters = [...Map.groupBy(exampleIds, (id) => clusterOf(id) ?? id).values()];
  if (clusters.length < 2) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: "Split `val` cannot be cross-validated",
      expected: "examples from at least two clusters",
      got: `${clusters.length}`,
    });
  }
  const folds = Array.from({ length: Math.min(maxFolds, clusters.length) }, (): string[] => []);
  for (const [index, ids] of random.shuffle(clusters).entries()) {
    folds[index % folds.length]?.push(...ids);
  }
  return folds;
}

/**
 * Keeps the rollouts of each example. A program's run depends on weights through its decisions
 * alone, so weights under which every decision of a rollout stays as it is lead to that rollout.
 *
 * @param seed the rollouts under the program's own weights
 */
function outcomes(
  { components, parameters = {} }: SearchSpace,
  run: OptimizerRun,
  seed: readonly Rollout[],
) {
  const known = new Map(seed.map((rollout) => [rollout.exampleId, [rollout]]));
  /** By example, then by the decisions of the seed's run under the weights that failed. */
  const failed = new Map<string, Map<string, Rollout>>();
  const find = (id: string, weights: WeightsByPredictor): Rollout | undefined =>
    known.get(id)?.find((rollout) => isKept(rollout, weights)) ??
    failed.get(id)?.get(decidedIn(known.get(id)?.[0], weights));

  return {
    /** Number of examples that could not be run under some weights. */
    unfinished: () => failed.size,
    /** All decisions recorded so far on these examples. */
    decisionsOn: (ids: readonly string[]): readonly RolloutDecision[] =>
      ids.flatMap((id) => known.get(id) ?? []).flatMap(({ decisions = [] }) => decisions),
    /**
     * One rollout for each id, in their order, run only where the weights decide as in no earlier
     * run. Rejects with `budget-exhausted` if those do not fit the budget.
     */
    at: async (setting: Setting, exampleIds: readonly string[]): Promise<readonly Rollout[]> => {
      const weights = weightsIn(parameters, setting);
      const missing = exampleIds.filter((id) => find(id, weights) === undefined);
      if (missing.length > 0) {
        if (!run.fits({ rollouts: missing.length, reflectionCalls: 0 })) throw overBudget();
        const candidate = withSetting(components, setting);
        const [made = []] = await run.evaluate([{ candidate, split: "val", exampleIds: missing }]);
        for (const rollout of made) keep(rollout, weights);
      }
      return exampleIds.flatMap((id) => find(id, weights) ?? []);
    },
  };

  function keep(rollout: Rollout, weights: WeightsByPredictor): void {
    const { exampleId, score } = rollout;
    if (score.kind === "unscored") {
      const others = failed.get(exampleId) ?? new Map<string, Rollout>();
      failed.set(exampleId, others.set(decidedIn(known.get(exampleId)?.[0], weights), rollout));
    } else known.get(exampleId)?.push(rollout);
  }
}

function isKept({ decisions = [] }: Rollout, weights: WeightsByPredictor): boolean {
  return decisions.every((decision) => decided(decision, weights) === decision.decided);
}

function decidedIn(rollout: Rollout | undefined, weights: WeightsByPredictor): string {
  return JSON.stringify(rollout?.decisions?.map((decision) => decided(decision, weights)) ?? []);
}

function decided(decision: RolloutDecision, weights: WeightsByPredictor): string | boolean {
  const ofPredictor = getOwn(weights, decision.predictor) ?? {};
  return decidedLabel(decision, getOwn(ofPredictor, decision.field) ?? {});
}

function overBudget(): EspalierError {
  return new EspalierError({
    code: "budget-exhausted",
    problem: "The runs that other decisions need do not fit the budget",
  });
}
