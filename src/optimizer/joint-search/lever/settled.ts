import type { Component, ParameterValue } from "../../../contract/index.ts";
import { getOwn } from "../../../internal/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Configuration, Lever } from "./lever.ts";

/**
 * A configuration without changes to parameters that do not matter in it (see
 * `ParameterCondition`): these stay as the program has them.
 *
 * @param levers in the configuration's order, which is that of the space's components
 */
export function settled(
  configuration: Configuration,
  levers: readonly Lever[],
  { components, parameters = {} }: Pick<SearchSpace, "components" | "parameters">,
): Configuration {
  const values = new Map<string, ParameterValue>(components.flatMap(parameterValue));
  for (const { component } of configuration) {
    for (const [name, value] of parameterValue(component)) values.set(name, value);
  }
  // Those declared before decide, so one pass in order does.
  const matters = new Map<string, boolean>();
  for (const name of values.keys()) {
    const conditions = Object.entries(getOwn(parameters, name)?.when ?? {});
    matters.set(
      name,
      conditions.every(
        ([other, value]) => matters.get(other) === true && values.get(other) === value,
      ),
    );
  }
  return configuration.map((setting, at) => {
    const { kind, path } = setting.component;
    const isIdle = kind === "parameter" && matters.get(path) === false;
    return isIdle ? (levers[at]?.initial ?? setting) : setting;
  });
}

function parameterValue(component: Component): readonly [string, ParameterValue][] {
  return component.kind === "parameter" ? [[component.path, component.value]] : [];
}
