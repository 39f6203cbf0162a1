import type { RandomSource } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import { searchLog } from "../contract/search-log.ts";
import type { Fitter, WeighedParameter } from "./fitter.ts";
import { fitter } from "./fitter.ts";
import { outcomes } from "./outcomes.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { selectionOf } from "../evaluation/index.ts";
import type { Setting } from "../parameter-search/tunable.ts";
import { withSetting } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Fits weights on val, checks them out of fold, and accepts them if they hold there. */
export async function fitDecisions(
  space: SearchSpace,
  run: OptimizerRun,
  weights: readonly WeighedParameter[],
): Promise<OptimizerOutcome> {
  const log = searchLog(run, space);
  const seedRollouts = await log.seed({ detail: "What the fit started from." });

  const judgedRollouts = seedRollouts.filter(({ score }) => score.kind !== "unscored");
  const ids = judgedRollouts.map(({ exampleId }) => exampleId);
  const folds = clusterFolds(ids, space.clusterOf, run.random("decision-fit", 0));
  const known = outcomes(space, run, judgedRollouts);
  let stopped: string | null = null;
  const isStopped = (): boolean => (stopped ??= run.stopAsked()) !== null;
  const fit = fitter({ run, known, weights, isStopped });
  log.beginIteration();
  const end = (reason: OptimizerOutcome["reason"], said?: string): OptimizerOutcome => {
    // What a stop cut off goes on when the run is reopened.
    if (reason !== "stopper") log.endIteration();
    const detail = [said, reason === "stopper" ? undefined : fit.unfinished()]
      .filter(Boolean)
      .join(" ");
    const { candidates, rejections } = log;
    return {
      reason,
      ...(detail !== "" && { detail }),
      candidates,
      rejections,
      best: candidates.at(-1) as CandidateRecord,
    };
  };

  try {
    const setting = await fit.on(ids);
    const held = await outOfFold(fit, folds);
    if (stopped !== null) return end("stopper", stopped);
    const before = await fit.measured(fit.own, ids);
    log.spent();
    const components = withSetting(space.components, setting);
    if (components.every((component, index) => component === space.components[index])) {
      return end("all-tried", "No weights are better than the program's own.");
    }
    const after = await fit.measured(setting, ids);
    const own = before.value ?? 0;
    // Without the examples that did not finish, the two would not be comparable.
    const isBetter = held.coverage === 1 && held.value !== null && held.value > own;
    const detail = `${figure(after.value)} on val, where the program's own weights have ${figure(own)}; ${figure(held.value)} out of fold, in ${folds.length} folds of whole clusters.`;
    const metricCallsBefore = run.spent.metricCalls;
    log.propose(components);
    log.evaluated(after, "proposed");
    log.spent();
    const selection = selectionOf(after);
    if (selection === null || !isBetter) {
      log.reject(components, "not-better-on-val", detail);
      return end("all-tried", detail);
    }
    const acceptance = { by: "decision-fit", detail };
    log.add(log.recordOf({ components, selection, acceptance, metricCallsBefore }));
    return end("all-tried");
  } catch (error) {
    if (EspalierError.isInstance(error) && error.kind === "budget") return end("budget");
    throw error;
  }
}

/** Every fold under the weights that were fitted on the others. */
async function outOfFold(
  fit: Fitter,
  folds: readonly (readonly string[])[],
): Promise<StepEvaluation> {
  const settings: { readonly setting: Setting; readonly ids: readonly string[] }[] = [];
  for (const [index, ids] of folds.entries()) {
    settings.push({ setting: await fit.on(folds.toSpliced(index, 1).flat()), ids });
  }
  return fit.together(settings);
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
      expected: "examples of at least two clusters",
      got: `${clusters.length}`,
    });
  }
  const folds = Array.from({ length: Math.min(maxFolds, clusters.length) }, (): string[] => []);
  for (const [index, ids] of random.shuffle(clusters).entries()) {
    folds[index % folds.length]?.push(...ids);
  }
  return folds;
}
