import type { Component } from "../../contract/index.ts";
import { canShowRuns } from "../demonstrations/index.ts";
import { isText } from "../task/search-space.ts";
import { fewestRollouts, changeablePlaces } from "../joint-search/settings/settings.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** The search that fits a program and a budget. */
export interface FittingSearch {
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
export function fittingSearch(
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
