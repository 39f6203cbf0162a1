import type { ParameterCondition, ParameterValue } from "../../contract/index.ts";
import { parameterProblem } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import { invalid } from "./parameter-search-settings.ts";
import type { Setting, Tunable } from "./tunable.ts";
import { isActive } from "./tunable.ts";
import type { Parameter } from "../../program/index.ts";

/** All combinations of some values, each without the parameters that do not matter in it. */
export interface Grid {
  readonly size: number;
  /** In order; the last parameter changes first. */
  settings(): Iterable<Setting>;
  has(setting: Setting): boolean;
}

/**
 * The grid over some parameters; throws `option-invalid` for values that a parameter cannot take,
 * and for a number without values.
 */
export function grid(
  tunables: readonly Tunable[],
  given: Readonly<Record<string, readonly ParameterValue[]>>,
): Grid {
  const stray = Object.keys(given).find((name) => !tunables.some((one) => one.name === name));
  if (stray !== undefined) {
    const expected = `names of searched parameters: ${tunables.map(({ name }) => name).join(", ")}`;
    throw invalid("values", expected, `\`${stray}\``);
  }
  return gridOf(
    tunables.map((tunable) => {
      const { name, parameter } = tunable;
      const options = parameter.kind === "choice" ? parameter.options : [];
      const values = getOwn(given, name) ?? options;
      if (values.length === 0) throw invalid("values", `at least one value of \`${name}\``, "none");
      for (const value of values) {
        const problem = parameterProblem(parameter, value);
        if (problem === null) continue;
        throw invalid("values", `\`${name}\`: ${problem}`, JSON.stringify(value));
      }
      return { ...tunable, values };
    }),
  );
}

/** The values of one parameter, and when it matters. */
interface Axis {
  readonly name: string;
  readonly values: readonly ParameterValue[];
  readonly when?: ParameterCondition;
}

/** Duplicate values of an axis count once. */
function gridOf(given: readonly Axis[]): Grid {
  const axes = given.map((axis) => ({ ...axis, values: [...new Set(axis.values)] }));
  const controlling = new Set(axes.flatMap(({ when = {} }) => Object.keys(when)));
  /** In how many ways the axes from a place on complete a setting of those before. */
  const completions = (index: number, before: Setting): number => {
    const axis = axes[index];
    if (axis === undefined) return 1;
    if (!isActive(axis, before)) return completions(index + 1, before);
    const { name, values } = axis;
    if (!controlling.has(name)) return values.length * completions(index + 1, before);
    return values.reduce<number>(
      (ways, value) => ways + completions(index + 1, { ...before, [name]: value }),
      0,
    );
  };
  return {
    size: completions(0, {}),
    settings: () => combinations(axes, {}),
    has: (setting) =>
      axes.every(
        (axis) =>
          !isActive(axis, setting) ||
          axis.values.includes(getOwn(setting, axis.name) as ParameterValue),
      ),
  };
}

function* combinations([axis, ...others]: readonly Axis[], before: Setting): Generator<Setting> {
  if (axis === undefined) {
    yield before;
  } else if (isActive(axis, before)) {
    for (const value of axis.values) {
      yield* combinations(others, { ...before, [axis.name]: value });
    }
  } else {
    yield* combinations(others, before);
  }
}

/** Larger spaces are not enumerated. */
const maxCounted = 10_000;

/** All possible settings of some parameters; `null` if there are infinitely many, or too many. */
export function wholeSpace(tunables: readonly Tunable[]): Grid | null {
  const size = tunables.reduce((size, { parameter }) => size * valuesIn(parameter), 1);
  if (size > maxCounted) return null;
  return gridOf(
    tunables.map(({ parameter, ...tunable }) => ({
      ...tunable,
      values:
        parameter.kind === "choice"
          ? parameter.options
          : Array.from(
              { length: valuesIn(parameter) },
              (_, index) => Math.ceil(parameter.min) + index,
            ),
    })),
  );
}

function valuesIn(parameter: Parameter): number {
  if (parameter.kind === "choice") return parameter.options.length;
  const { kind, min, max } = parameter;
  return kind === "int" ? Math.floor(max) - Math.ceil(min) + 1 : Infinity;
}
