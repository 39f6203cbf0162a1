import type { Candidate, ParameterValue } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { WeightsByPredictor } from "../../program/index.ts";
import { decidedLabel, weightsIn } from "../../program/index.ts";
import type { Rollout, RolloutDecision } from "../evaluation/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Setting } from "../parameter-search/tunable.ts";
import { withSetting } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** How examples of val end under weights. */
export interface Outcomes {
  /**
   * One rollout for each id, in their order, run only where the weights decide as in no earlier
   * run. Rejects with `budget-exhausted` if those do not fit the budget.
   */
  at(setting: Setting, exampleIds: readonly string[]): Promise<readonly Rollout[]>;
  /** All decisions recorded so far on these examples. */
  decisionsOn(exampleIds: readonly string[]): readonly RolloutDecision[];
  /** Number of examples that could not be run under some weights. */
  unfinished(): number;
}

/**
 * Keeps the rollouts of each example. A program's run depends on weights through its decisions
 * alone, so weights under which every decision of a rollout stays as it is lead to that rollout.
 *
 * @param seed the rollouts under the program's own weights
 */
export function outcomes(
  { components, parameters = {} }: SearchSpace,
  run: OptimizerRun,
  seed: readonly Rollout[],
): Outcomes {
  const known = new Map(seed.map((rollout) => [rollout.exampleId, [rollout]]));
  /** By example, then by the decisions of the seed's run under the weights that failed. */
  const failed = new Map<string, Map<string, Rollout>>();
  const weightsAt = (candidate: Candidate): WeightsByPredictor =>
    weightsIn(parameters, valuesOf(candidate));
  const find = (id: string, weights: WeightsByPredictor): Rollout | undefined =>
    known.get(id)?.find((rollout) => isKept(rollout, weights)) ??
    failed.get(id)?.get(decidedIn(known.get(id)?.[0], weights));

  return {
    unfinished: () => failed.size,
    decisionsOn: (ids) =>
      ids.flatMap((id) => known.get(id) ?? []).flatMap(({ decisions = [] }) => decisions),
    at: async (setting, exampleIds) => {
      const candidate = withSetting(components, setting);
      const weights = weightsAt(candidate);
      const missing = exampleIds.filter((id) => find(id, weights) === undefined);
      if (missing.length > 0) {
        if (!run.fits({ rollouts: missing.length, reflectionCalls: 0 })) throw overBudget();
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

function valuesOf(candidate: Candidate): Readonly<Record<string, ParameterValue>> {
  return Object.fromEntries(
    candidate.flatMap((component) =>
      component.kind === "parameter" ? [[component.path, component.value]] : [],
    ),
  );
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
