import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { jointSearch, textSearch } from "../joint-search/joint-search.ts";
import type { JointSearchOptions } from "../joint-search/settings/settings.ts";
import { jointSearchSettings } from "../joint-search/settings/settings.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { fittingSearch } from "./fitting-search.ts";

export type GrowOptions = JointSearchOptions;

/**
 * What runs where nobody names an optimizer: instructions, demonstrations and parameters in one
 * search under one budget. It is `jointSearch()` where demonstrations or parameters may change
 * besides texts; where nothing but texts may change, or the budget is too small to tell levers
 * apart, it is `gepa()`, decision for decision. The plan, the journal and `espalier show` say which
 * it took, and why.
 *
 * @example
 * study({ program, trainset, objective, optimizer: grow({ budget: { metricCalls: 500 } }) })
 * @throws EspalierError `option-invalid`
 */
export function grow(options: GrowOptions = {}): Optimizer {
  const { components } = jointSearchSettings(options);
  const texts = textSearch(options);
  const joint = jointSearch(options);
  const { seed, budget, reflectionLm, asksReflection = true } = joint;
  const searchFor = (space: SearchSpace, rollouts: number) => {
    const { takes, why } = fittingSearch(space, rollouts, components);
    return { optimizer: takes === "gepa" ? texts : joint, why };
  };
  return Object.freeze({
    name: "grow",
    version: "1",
    seed,
    ...(budget && { budget }),
    ...(reflectionLm && { reflectionLm }),
    asksReflection,
    settings: {
      searches: [joint, texts].map(({ name, version, settings }) => ({ name, version, settings })),
    },
    doPlan: (space, cap) => {
      const { optimizer, why } = searchFor(space, rolloutsWithin(space, cap));
      const { name, version } = optimizer;
      return { ...optimizer.doPlan(space, cap), searches: [{ name, version, why }] };
    },
    doOptimize: async (space, run) => {
      const { optimizer, why } = searchFor(space, run.rolloutsExpected());
      const { name, version } = optimizer;
      run.emit({ kind: "search-chosen", iteration: 0, search: { name, version, why } });
      return optimizer.doOptimize(space, run);
    },
  } satisfies Optimizer);
}

/** Other caps of a plan are in metric calls already, but for LM calls without an estimate. */
function rolloutsWithin(
  { components }: SearchSpace,
  { metricCalls = Infinity, lmCalls = Infinity }: Budget,
): number {
  return Math.min(metricCalls, Math.floor(lmCalls / Math.max(1, predictorCount(components))));
}
