import type { Component } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { ownValue } from "../../internal/index.ts";
import type { Parameter } from "../../program/index.ts";
import type { SearchSpace } from "../search-space.ts";

/** A parameter that the search may change. */
export interface Tunable {
  readonly name: string;
  readonly parameter: Parameter;
}

/**
 * The parameters of a space that a list of names selects, in the space's order. Refuses, with
 * `component-unknown`, names that are none, and a space without any.
 */
export function tunableParameters(
  { name: program, components, parameters = {} }: SearchSpace,
  selected: readonly string[] | undefined,
): readonly Tunable[] {
  const all = components.filter(isParameter).flatMap(({ path }) => {
    const parameter = ownValue<Parameter>(parameters, path);
    return parameter === undefined ? [] : [{ name: path, parameter }];
  });
  const unknown = selected?.find((name) => !all.some((tunable) => tunable.name === name));
  const tunables = all.filter(({ name }) => selected?.includes(name) ?? true);
  if (unknown === undefined && tunables.length > 0) return tunables;
  throw new EspalierError({
    code: "component-unknown",
    problem: `parameterSearch() cannot change ${unknown === undefined ? "nothing" : `\`${unknown}\``} in \`${program}\``,
    expected:
      all.length === 0
        ? "a program with parameters: this one has none"
        : all.map(({ name }) => name).join(", "),
  });
}

function isParameter(component: Component): boolean {
  return component.kind === "parameter";
}
