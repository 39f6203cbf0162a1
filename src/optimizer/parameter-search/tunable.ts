import type { ParameterValue } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Parameter } from "../../program/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** A parameter that the search may change. */
export interface Tunable {
  readonly name: string;
  readonly parameter: Parameter;
  /** The program's own value. */
  readonly value: ParameterValue;
}

/**
 * The parameters of a space selected by a list of names, in the space's order. Throws
 * `component-unknown` for names that are not parameters, and for a space without parameters.
 */
export function tunableParameters(
  { name: program, components, parameters = {} }: SearchSpace,
  selected: readonly string[] | undefined,
): readonly Tunable[] {
  const all = components.flatMap((component): readonly Tunable[] => {
    if (component.kind !== "parameter") return [];
    const { path: name, value } = component;
    const parameter = getOwn<Parameter>(parameters, name);
    return parameter === undefined ? [] : [{ name, parameter, value }];
  });
  const unknown = selected?.find((name) => !all.some((tunable) => tunable.name === name));
  const tunables = all.filter(({ name }) => selected?.includes(name) ?? true);
  if (unknown === undefined && tunables.length > 0) return tunables;
  throw new EspalierError({
    code: "component-unknown",
    problem:
      unknown === undefined
        ? `\`${program}\` has no parameter for parameterSearch() to change`
        : `\`${program}\` has no parameter \`${unknown}\` that parameterSearch() can change`,
    expected:
      all.length === 0
        ? "a program with parameters"
        : `\`parameters\` among ${all.map(({ name }) => `\`${name}\``).join(", ")}`,
    got: unknown === undefined ? "none" : `\`${unknown}\``,
    fix:
      all.length === 0
        ? "Declare numbers or choices in `program({ parameters })`, or search its texts with `gepa()`."
        : "Omit `parameters` to search all of them.",
  });
}
