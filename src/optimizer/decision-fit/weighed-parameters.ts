import type { WeighedLabel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Parameter } from "../../program/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** A weight that may change. */
export interface WeighedParameter {
  readonly name: string;
  readonly weighs: WeighedLabel;
  readonly min: number;
  readonly max: number;
  /** The program's own. */
  readonly value: number;
}

/**
 * The weights of a space selected by a list of names, in the space's order. Throws
 * `component-unknown` for names that are not weights, and for a space without weights.
 */
export function weighedParameters(
  { name: program, components, parameters = {} }: SearchSpace,
  selected: readonly string[] | undefined,
): readonly WeighedParameter[] {
  const all = components.flatMap((component): readonly WeighedParameter[] => {
    if (component.kind !== "parameter") return [];
    const { path: name, value } = component;
    const parameter = getOwn<Parameter>(parameters, name);
    if (parameter === undefined || parameter.kind === "choice") return [];
    const { weighs, min, max } = parameter;
    return weighs === undefined ? [] : [{ name, weighs, min, max, value: Number(value) }];
  });
  const unknown = selected?.find((name) => !all.some((weight) => weight.name === name));
  const weights = all.filter(({ name }) => selected?.includes(name) ?? true);
  if (unknown === undefined && weights.length > 0) return weights;
  throw new EspalierError({
    code: "component-unknown",
    problem: `\`${program}\` has no weight that decisionFit() can change`,
    expected:
      all.length === 0
        ? "a program with weights"
        : `\`parameters\` among ${all.map(({ name }) => `\`${name}\``).join(", ")}`,
    got: unknown === undefined ? "none" : `\`${unknown}\``,
    fix: "Declare weights with `labelWeight()`, or search other parameters with `parameterSearch()`.",
  });
}
