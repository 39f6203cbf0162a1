import type { Component } from "../../contract/index.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { canShowRuns } from "../demonstrations/index.ts";
import { bootstrapFewShot } from "../few-shot/index.ts";
import { inTurn } from "../in-turn/index.ts";
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
 * What runs where nobody names an optimizer. Where labels of train tell all that the steps should
 * write, their demonstrations come first, by `bootstrapFewShot()`, and `gepa()` writes texts with
 * what that leaves of the budget. Elsewhere it is `jointSearch()` where demonstrations or
 * parameters may change besides texts, and `gepa()`, decision for decision, where nothing but
 * texts may change, or the budget is too small to tell levers apart. The plan, the journal and
 * `espalier show` say which it took, and why.
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
  const demonstrations = demonstrationSearch(options);
  const labels = inTurn([demonstrations, texts]);
  const searchFor = (space: SearchSpace, rollouts: number) => {
    const { takes, why } = fittingSearch(space, rollouts, components);
    return { optimizer: { gepa: texts, joint, labels }[takes], why };
  };
  return Object.freeze({
    name: "auto-search",
    version: "2",
    seed,
    ...(budget && { budget }),
    ...(reflectionLm && { reflectionLm }),
    asksReflection,
    perfectScore,
    settings: {
      searches: [joint, demonstrations, texts].map(({ name, version, settings }) => ({
        name,
        version,
        settings,
      })),
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

/**
 * A race of one generation of demonstrations, which may take all of the budget. On real tasks with
 * a model of 135M parameters nothing else gained as much (docs/real-models.md).
 */
function demonstrationSearch({
  demonstrations: { most, minScore } = {},
}: AutoSearchOptions): Optimizer {
  return bootstrapFewShot({
    trials: 8,
    ...(most !== undefined && {
      maxBootstrapped: most,
      maxLabelled: most,
    }),
    ...(minScore !== undefined && { threshold: minScore }),
    // All of the run's, where a part without a budget of its own gets a share.
    budget: { metricCalls: Number.MAX_SAFE_INTEGER },
  });
}

/** The search that fits a program and a budget. */
interface FittingSearch {
  readonly takes: "gepa" | "joint" | "labels";
  /** A clause that follows "because". */
  readonly why: string;
}

/**
 * Demonstrations by labels, then texts, where labels of at least half of train tell all that a run
 * could show and no parameter may change; else a joint search where more than texts may change,
 * and the budget allows trials enough to tell levers apart.
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
  const told = space.train.filter((id) => space.isToldByLabels?.(id) === true).length;
  if (
    told >= Math.max(1, space.train.length / 2) &&
    texts > 0 &&
    parameters === 0 &&
    selectors.includes("demos")
  ) {
    return {
      takes: "labels",
      why: `labels are demonstrations of ${counted(demonstrated.length, "step")}, and come before ${counted(texts, "text")}`,
    };
  }
  const levers = [
    ...(texts > 0 ? [counted(texts, "text")] : []),
    ...(demonstrated.length > 0
      ? [`demonstrations of ${counted(demonstrated.length, "step")}`]
      : []),
    ...(parameters > 0 ? [counted(parameters, "parameter")] : []),
  ];
  const what = `${levers.join(" and ")} can change`;
  if (texts === 0 || rollouts >= fewestRollouts) return { takes: "joint", why: what };
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
