import type { Component } from "../../contract/index.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { canShowRuns } from "../demonstrations/index.ts";
import { jointSearch, textSearch } from "../joint-search/joint-search.ts";
import type { JointSearchOptions } from "../joint-search/settings/settings.ts";
import {
  jointSearchSettings,
  fewestRollouts,
  changeablePlaces,
} from "../joint-search/settings/settings.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { isText } from "../task/search-space.ts";

export type AutoSearchOptions = JointSearchOptions;

/**
 * What runs where nobody names an optimizer: instructions, demonstrations and parameters in one
 * search under one budget. It is `jointSearch()` where demonstrations or parameters may change
 * besides texts; where nothing but texts may change, or the budget is too small to tell levers
 * apart, it is `gepa()`, decision for decision. The plan, the journal and `espalier show` say which
 * it took, and why.
 *
 * @example
 * study({ program, trainset, objective, optimizer: autoSearch({ budget: { metricCalls: 500 } }) })
 * @throws EspalierError `option-invalid`
 */
export function autoSearch(options: AutoSearchOptions = {}): Optimizer {
  const { components, perfectScore } = jointSearchSettings(options);
  const texts = textSearch(options);
  const joint = jointSearch(options);
  const { seed, budget, reflectionLm, asksReflection = true } = joint;
  const searchFor = (space: SearchSpace, rollouts: number) => {
    const { takes, why } = fittingSearch(space, rollouts, components);
    return { optimizer: takes === "gepa" ? texts : joint, why };
  };
  return Object.freeze({
    name: "auto-search",
    version: "1",
    seed,
    ...(budget && { budget }),
    ...(reflectionLm && { reflectionLm }),
    asksReflection,
    perfectScore,
    settings: {
      searches: [joint, texts].map(({ name, version, settings }) => ({ name, version, settings })),
    },
    doPlan: (space, cap) => {
      const { optimizer, why } = searchFor(space, cap.metricCalls ?? Infinity);
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

/** The search that fits a program and a budget. */
interface FittingSearch {
  readonly takes: "gepa" | "joint-search";
  /** A clause that follows "because". */
  readonly why: string;
}

/**
 * A joint search where more than texts may change, and the budget allows trials enough to tell
 * levers apart.
 *
 * @param rollouts that the budget allows; `Infinity` if nothing bounds them
 * @param selectors kinds and ids of components that may change
 * @throws EspalierError `component-unknown`
 */
function fittingSearch(
  space: SearchSpace,
  rollouts: number,
  selectors: readonly string[],
): FittingSearch {
  const changeable = changeablePlaces(space, selectors).flatMap(
    (place) => space.components[place] ?? [],
  );
  const texts = changeable.filter(isText).length;
  const parameters = changeable.filter(({ kind }) => kind === "parameter").length;
  const demonstrated = changeable.filter((component) => canHaveDemonstrations(component, space));
  if (texts > 0 && parameters + demonstrated.length === 0) {
    return { takes: "gepa", why: "nothing but texts can change" };
  }
  const levers = [
    ...(texts > 0 ? [counted(texts, "text")] : []),
    ...(demonstrated.length > 0
      ? [`demonstrations of ${counted(demonstrated.length, "step")}`]
      : []),
    ...(parameters > 0 ? [counted(parameters, "parameter")] : []),
  ];
  const what = `${levers.join(" and ")} can change`;
  if (texts === 0 || rollouts >= fewestRollouts) return { takes: "joint-search", why: what };
  return {
    takes: "gepa",
    why: `${what}, but ${counted(rollouts, "rollout")} cannot tell which of them matter: that takes ${fewestRollouts}`,
  };
}

/** Whether there are demonstrations to leave out, or may be runs on train to show. */
function canHaveDemonstrations(component: Component, space: SearchSpace): boolean {
  if (component.kind !== "demos") return false;
  return component.value.length > 0 || canShowRuns(component.path, space);
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
