import type { Candidate } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId, deepFreeze } from "../../internal/index.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import { componentText } from "../candidate/component-text.ts";
import { acceptedEvent } from "../contract/accepted-event.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { seedSelection, selectionOf } from "../evaluation/index.ts";
import type { Setting } from "../parameter-search/setting.ts";
import { withSetting } from "../parameter-search/setting.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Fitter } from "./fitter.ts";
import { fitter } from "./fitter.ts";
import { clusterFolds } from "./cluster-folds.ts";
import { outcomes } from "./outcomes.ts";
import type { WeighedParameter } from "./weighed-parameters.ts";

/** Fits weights on val, checks them out of fold, and accepts them if they hold there. */
export async function fitDecisions(
  space: SearchSpace,
  run: OptimizerRun,
  {
    weights,
    steps,
    folds: count,
  }: {
    readonly weights: readonly WeighedParameter[];
    readonly steps: number;
    readonly folds: number;
  },
): Promise<OptimizerOutcome> {
  const [seedRollouts = []] = await run.evaluate([
    { candidate: space.components, split: "val", exampleIds: space.val },
  ]);
  const evaluation = run.summarize("val", seedRollouts);
  emitEvaluated(run, evaluation, { candidate: 0, iteration: 0 });
  const seed = seedRecord(space.components, evaluation);
  run.emit(acceptedEvent(seed, []));
  run.checkpoint();

  const judgedRollouts = seedRollouts.filter(({ score }) => score.kind !== "unscored");
  const ids = judgedRollouts.map(({ exampleId }) => exampleId);
  const folds = clusterFolds(ids, space.clusterOf, {
    count,
    random: run.random("decision-fit", 0),
  });
  const known = outcomes(space, run, judgedRollouts);
  const fit = fitter({ run, known, weights, steps });
  const iteration = 1;
  run.emit({ kind: "iteration-start", iteration });
  const end = (
    reason: OptimizerOutcome["reason"],
    candidates: readonly CandidateRecord[],
    more: { readonly refusals?: readonly Rejection[]; readonly detail?: string } = {},
  ): OptimizerOutcome => {
    const accepted = Object.freeze(candidates.slice(1).map(({ id }) => id));
    run.emit({ kind: "iteration-end", iteration, accepted });
    run.checkpoint();
    const detail = [more.detail, fit.unfinished()].filter(Boolean).join(" ");
    return {
      reason,
      ...(detail !== "" && { detail }),
      candidates,
      refusals: more.refusals ?? [],
      best: candidates.at(-1) ?? seed,
    };
  };

  try {
    const setting = await fit.on(ids);
    const held = await outOfFold(fit, folds);
    const before = await fit.measured(fit.own, ids);
    run.emit({ kind: "budget-spent", iteration, ...run.spent });
    const components = withSetting(space.components, setting);
    if (components.every((component, place) => component === space.components[place])) {
      return end("all-tried", [seed], { detail: "No weights are better than the program's own." });
    }
    const after = await fit.measured(setting, ids);
    const own = before.value ?? 0;
    // Without the examples that did not finish, the two would not be comparable.
    const isBetter = held.coverage === 1 && held.value !== null && held.value > own;
    const detail = `${figure(after.value)} on val, where the program's own weights have ${figure(own)}; ${figure(held.value)} out of fold, in ${folds.length} folds of whole clusters.`;
    const changed = components.filter((held, place) => held !== space.components[place]);
    const texts = Object.freeze(
      Object.fromEntries(changed.map((held) => [componentId(held), componentText(held)])),
    );
    const parents = Object.freeze([0]);
    const metricCallsBefore = run.spent.metricCalls;
    run.emit({ kind: "candidate-proposed", iteration, parents, texts });
    emitEvaluated(run, after, { candidate: "proposed", iteration });
    const selection = selectionOf(after);
    if (selection === null || !isBetter) {
      const rejection: Rejection = deepFreeze({
        iteration,
        parents,
        components: changed.map(componentId),
        reason: "not-better-on-val",
        detail,
        texts,
      });
      run.emit({ kind: "candidate-refused", ...rejection });
      return end("all-tried", [seed], { refusals: [rejection], detail });
    }
    const record: CandidateRecord = deepFreeze({
      id: 1,
      components,
      parents,
      iteration,
      changed: changed.map(componentId),
      learntFrom: [],
      selection,
      acceptance: { by: "decision-fit", detail },
      metricCallsBefore,
    });
    run.emit(acceptedEvent(record, [seed]));
    return end("all-tried", [seed, record]);
  } catch (error) {
    if (EspalierError.isInstance(error) && error.kind === "budget") return end("budget", [seed]);
    throw error;
  }
}

/** Every fold under the weights that were fitted on the others. */
async function outOfFold(
  fit: Fitter,
  folds: readonly (readonly string[])[],
): Promise<StepEvaluation> {
  const settings: { readonly setting: Setting; readonly ids: readonly string[] }[] = [];
  for (const [place, ids] of folds.entries()) {
    settings.push({ setting: await fit.on(folds.toSpliced(place, 1).flat()), ids });
  }
  return fit.together(settings);
}

function seedRecord(components: Candidate, evaluation: StepEvaluation): CandidateRecord {
  return deepFreeze<CandidateRecord>({
    id: 0,
    components,
    parents: [],
    iteration: 0,
    changed: [],
    learntFrom: [],
    selection: seedSelection(evaluation),
    acceptance: { by: "seed", detail: "What the fit started from." },
    metricCallsBefore: 0,
  });
}

function emitEvaluated(
  run: OptimizerRun,
  { value, scores, coverage }: StepEvaluation,
  at: { readonly candidate: number | "proposed"; readonly iteration: number },
): void {
  run.emit({
    kind: "candidate-evaluated",
    ...at,
    split: "val",
    value,
    scores,
    coverage,
    inherited: 0,
  });
  run.emit({ kind: "budget-spent", iteration: at.iteration, ...run.spent });
}

function figure(value: number | null): string {
  return value === null ? "no value" : value.toFixed(4);
}
