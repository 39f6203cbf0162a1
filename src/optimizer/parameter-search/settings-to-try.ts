import type { ParameterValue, RandomSource, ParameterCondition } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import { drawnValue, nearestValue, settingOf, isActive } from "./tunable.ts";
import type { ParameterSearchSettings } from "./parameter-search-settings.ts";
import type { Setting, Tunable } from "./tunable.ts";
import type { Trial } from "./tpe/suggest-setting.ts";
import { suggestSetting } from "./tpe/suggest-setting.ts";
import { parameterProblem } from "../../contract/index.ts";
import { invalid } from "./parameter-search-settings.ts";
import type { Parameter } from "../../program/index.ts";

/** Maximum consecutive draws of known settings before the first unknown one is taken instead. */
const maxDuplicateDraws = 1_000;
/** Maximum consecutive suggestions of known settings before one is drawn at random. */
const maxDuplicateSuggestions = 10;
/** Trials, the program's own setting among them, before the first suggestion. */
const startupTrials = 10;

export interface SettingsToTry {
  /** Settings besides the program's own; an upper bound if the space is infinite. */
  readonly count: number;
  /** The program's own setting. */
  readonly own: Setting;
  /** Examples that a setting runs on at a time; `Infinity`: it runs on all of val at once. */
  readonly minibatchSize: number;
  /**
   * The settings of a search, without duplicates, each drawn when it is asked for. Known settings
   * are skipped; random search and TPE draw another instead.
   */
  settings(options: {
    readonly random: (index: number) => RandomSource;
    readonly isKnown: (setting: Setting) => boolean;
    /** What has been tried so far, the program's own setting first. */
    readonly trials: () => readonly Trial[];
  }): Iterable<Setting>;
}

/** Examples in one minibatch of TPE. */
const minibatchSize = 8;

export function settingsToTry(
  tunables: readonly Tunable[],
  settings: ParameterSearchSettings,
): SettingsToTry {
  const own = settingOf(tunables, ({ value }) => value);
  const { method, values } = settings;
  const listed =
    method === "grid" ? gridSettings(tunables, values, own) : drawnSettings(tunables, settings);
  return { own, minibatchSize: method === "tpe" ? minibatchSize : Infinity, ...listed };
}

type Listed = Pick<SettingsToTry, "count" | "settings">;

function gridSettings(
  tunables: readonly Tunable[],
  values: ParameterSearchSettings["values"],
  own: Setting,
): Listed {
  const all = grid(tunables, values);
  return {
    count: all.size - (all.has(own) ? 1 : 0),
    *settings({ isKnown }) {
      for (const setting of all.settings()) if (!isKnown(setting)) yield setting;
    },
  };
}

function drawnSettings(
  tunables: readonly Tunable[],
  { method, trials: most }: ParameterSearchSettings,
): Listed {
  const all = wholeSpace(tunables);
  const count = all === null ? most : Math.min(most, all.size - 1);
  return {
    count,
    *settings({ random, isKnown, trials }) {
      for (let trial = 1; trial <= count; trial++) {
        const source = random(trial);
        const tried = method === "tpe" ? trials() : [];
        const suggest = () =>
          readableSetting(
            tunables,
            suggestSetting(tunables, tried, () => source.random()),
          );
        const setting =
          (tried.length < startupTrials
            ? undefined
            : newSetting(suggest, isKnown, maxDuplicateSuggestions)) ??
          newSetting(() => drawnSetting(tunables, source), isKnown, maxDuplicateDraws) ??
          firstUnknown(all, isKnown);
        if (setting === undefined) return;
        yield setting;
      }
    },
  };
}

function newSetting(
  draw: () => Setting,
  isKnown: (setting: Setting) => boolean,
  attempts: number,
): Setting | undefined {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const setting = draw();
    if (!isKnown(setting)) return setting;
  }
  return undefined;
}

/** Random draws rarely hit what is left of a nearly exhausted space. */
function firstUnknown(
  all: Grid | null,
  isKnown: (setting: Setting) => boolean,
): Setting | undefined {
  for (const setting of all?.settings() ?? []) if (!isKnown(setting)) return setting;
  return undefined;
}

/** Each value drawn uniformly from its options, or from its range on its scale. */
export function drawnSetting(tunables: readonly Tunable[], source: RandomSource): Setting {
  return settingOf(tunables, ({ parameter }) =>
    parameter.kind === "choice"
      ? source.choice(parameter.options)
      : drawnValue(parameter, source.random()),
  );
}

/** With real numbers rounded as those of other searches are. */
export function readableSetting(tunables: readonly Tunable[], setting: Setting): Setting {
  return settingOf(tunables, ({ name, parameter }) => {
    const value = getOwn(setting, name) as ParameterValue;
    return parameter.kind === "choice" ? value : nearestValue(parameter, Number(value));
  });
}

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
function wholeSpace(tunables: readonly Tunable[]): Grid | null {
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
