import type { ParameterValue } from "../../contract/index.ts";
import { parameterProblem } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { ParameterSearchSettings } from "./parameter-search-settings.ts";
import { invalid } from "./parameter-search-settings.ts";
import { valueAt } from "./number-scale.ts";
import type { Setting } from "./setting.ts";
import type { Tunable } from "./tunable.ts";

/** All combinations of some values. */
export interface Grid {
  readonly size: number;
  /** Returns the setting at a place, from 0; the last parameter changes first. */
  at(place: number): Setting;
  has(setting: Setting): boolean;
}

/**
 * The grid over some parameters; throws `option-invalid` for values that a parameter cannot take.
 */
export function grid(
  tunables: readonly Tunable[],
  { steps, values }: Pick<ParameterSearchSettings, "steps" | "values">,
): Grid {
  const stray = Object.keys(values).find((name) => !tunables.some((one) => one.name === name));
  if (stray !== undefined) {
    const expected = `names of searched parameters: ${tunables.map(({ name }) => name).join(", ")}`;
    throw invalid("values", expected, `\`${stray}\``);
  }
  const axes = tunables.map((tunable) => ({
    name: tunable.name,
    values: getOwn(values, tunable.name) ?? evenValues(tunable, steps),
  }));
  for (const [place, axis] of axes.entries()) checkAxis(axis, tunables[place] as Tunable);
  return gridOf(axes);
}

/** The values of one parameter. */
interface Axis {
  readonly name: string;
  readonly values: readonly ParameterValue[];
}

/** Duplicate values of an axis count once. */
export function gridOf(given: readonly Axis[]): Grid {
  const axes = given.map(({ name, values }) => ({ name, values: [...new Set(values)] }));
  return {
    size: axes.reduce((size, axis) => size * axis.values.length, 1),
    at: (place) => {
      let rest = place;
      const reversed = axes.toReversed().map((axis): [string, ParameterValue] => {
        const value = axis.values[rest % axis.values.length] as ParameterValue;
        rest = Math.floor(rest / axis.values.length);
        return [axis.name, value];
      });
      return Object.fromEntries(reversed.toReversed());
    },
    has: (setting) =>
      axes.every(({ name, values }) => values.includes(getOwn(setting, name) as ParameterValue)),
  };
}

function evenValues({ parameter }: Tunable, steps: number): readonly ParameterValue[] {
  if (parameter.kind === "choice") return parameter.options;
  const places = Array.from({ length: steps }, (_, step) => step / (steps - 1));
  return places.map((place) => valueAt(parameter, place));
}

function checkAxis({ name, values }: Axis, { parameter }: Tunable): void {
  if (values.length === 0) throw invalid("values", `at least one value of \`${name}\``, "none");
  for (const value of values) {
    const problem = parameterProblem(parameter, value);
    if (problem !== null) throw invalid("values", `\`${name}\`: ${problem}`, JSON.stringify(value));
  }
}
