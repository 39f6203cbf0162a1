import type {
  ParameterCondition,
  ParameterValue,
  Candidate,
  Component,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn, optionOutside } from "../../internal/index.ts";
import { owner } from "./parameter-search-settings.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Parameter } from "../../program/index.ts";

/** A parameter that the search may change. */
export interface Tunable {
  readonly name: string;
  readonly parameter: Parameter;
  /** The program's own value. */
  readonly value: ParameterValue;
  /** Of its conditions those on other tunables, which come before it. @default none */
  readonly when?: ParameterCondition;
}

/** Whether a tunable matters in a setting of those before it. */
export function isActive({ when = {} }: Pick<Tunable, "when">, before: Setting): boolean {
  return Object.entries(when).every(([name, value]) => getOwn(before, name) === value);
}

/** A setting with a value for each tunable that matters in it, in their order. */
export function settingOf<TTunable extends Pick<Tunable, "name" | "when">>(
  tunables: readonly TTunable[],
  valueOf: (tunable: TTunable, before: Setting) => ParameterValue,
): Setting {
  const setting: Record<string, ParameterValue> = {};
  for (const tunable of tunables) {
    if (isActive(tunable, setting)) setting[tunable.name] = valueOf(tunable, setting);
  }
  return setting;
}

/** All parameters of a space that may change, in its order. */
export function changeableParameters({
  components,
  parameters = {},
}: SearchSpace): readonly Tunable[] {
  return components.flatMap((component): readonly Tunable[] => {
    if (component.kind !== "parameter") return [];
    const { path: name, value } = component;
    const parameter = getOwn<Parameter>(parameters, name);
    return parameter === undefined ? [] : [{ name, parameter, value }];
  });
}

/**
 * The parameters of a space selected by a list of names, in the space's order. Throws
 * `component-unknown` for names that are not parameters, and for a space without parameters;
 * `option-invalid` for a parameter that cannot matter since another, which is not selected, does
 * not have the value for it.
 */
export function tunableParameters(
  space: SearchSpace,
  selected: readonly string[] | undefined,
): readonly Tunable[] {
  const all = changeableParameters(space);
  const unknown = selected?.find((name) => !all.some((tunable) => tunable.name === name));
  const tunables = all.filter(({ name }) => selected?.includes(name) ?? true);
  if (unknown === undefined && tunables.length > 0) return withConditions(tunables, all);
  throw new EspalierError({
    code: "component-unknown",
    problem:
      unknown === undefined
        ? `\`${space.name}\` has no parameter for parameterSearch() to change`
        : `\`${space.name}\` has no parameter \`${unknown}\` that parameterSearch() can change`,
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

function withConditions(tunables: readonly Tunable[], all: readonly Tunable[]): readonly Tunable[] {
  const isSearched = (name: string): boolean => tunables.some((tunable) => tunable.name === name);
  /** Those on searched parameters, also of the others on which it depends. */
  const conditionsOf = (
    { parameter: { when = {} } }: Tunable,
    searched: string,
  ): readonly (readonly [string, string | number])[] =>
    Object.entries(when).flatMap(([name, value]) => {
      if (isSearched(name)) return [[name, value] as const];
      const other = all.find((tunable) => tunable.name === name);
      if (other?.value === value) return conditionsOf(other, searched);
      const expected = `with both \`${name}\` and \`${searched}\`, which matters only when \`${name}\` is ${value}`;
      throw optionOutside("parameters", `${name} left at ${other?.value}`, expected, owner);
    });
  return tunables.map((tunable) => {
    const conditions = conditionsOf(tunable, tunable.name);
    return conditions.length === 0 ? tunable : { ...tunable, when: Object.fromEntries(conditions) };
  });
}

/** A value for each parameter that the search may change, by name. */
export type Setting = Readonly<Record<string, ParameterValue>>;

/** The components with the values of a setting; unchanged components keep their object identity. */
export function withSetting(components: Candidate, setting: Setting): Candidate {
  return components.map((component): Component => {
    if (component.kind !== "parameter") return component;
    const value = getOwn(setting, component.path);
    return value === undefined || value === component.value ? component : { ...component, value };
  });
}

export type NumberRange = Extract<Parameter, { readonly min: number }>;

/** The least and the greatest value in a number's range. */
export function endsOf({ kind, min, max }: NumberRange): readonly [least: number, most: number] {
  return kind === "int" ? [Math.ceil(min), Math.floor(max)] : [min, max];
}

/**
 * Maps a draw from [0, 1) to a value. Each whole number gets an equal share of the range; on a log
 * scale, its share spans from it to the next number. The ends are therefore not drawn half as often
 * as the others.
 */
export function drawnValue(range: NumberRange, draw: number): number {
  const isWhole = range.kind === "int";
  const [least, most] = endsOf(range);
  const beyond = isWhole ? most + 1 : most;
  const value = range.isLogScale
    ? least * (beyond / least) ** draw
    : least + (beyond - least) * draw;
  return nearestValue(range, isWhole ? Math.floor(value) : value);
}

/**
 * The value of a number's range that is nearest to a number. Real numbers are rounded to six
 * significant digits for readability.
 */
export function nearestValue(range: NumberRange, value: number): number {
  const [least, most] = endsOf(range);
  const rounded = range.kind === "int" ? Math.round(value) : Number(value.toPrecision(6));
  return Math.min(most, Math.max(least, rounded));
}
