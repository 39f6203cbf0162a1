import type { ParameterValue, RandomSource } from "../../contract/index.ts";
import { parameterProblem } from "../../contract/index.ts";
import type { EspalierError } from "../../errors/index.ts";
import { getOwn, optionOutside } from "../../internal/index.ts";
import type { Parameter } from "../../program/index.ts";
import type { ParameterSearchSettings } from "./parameter-search-settings.ts";
import { owner } from "./parameter-search-settings.ts";
import type { Trial } from "./tpe/suggest-setting.ts";
import { suggestSetting } from "./tpe/suggest-setting.ts";
import type { Setting, Tunable } from "./tunable.ts";
import { drawnValue, endsOf, isActive, nearestValue, settingOf } from "./tunable.ts";

/** Maximum consecutive draws of known settings. */
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
   * The settings of a search, each once and without the program's own, each drawn when it is asked
   * for. Random search and TPE draw another instead of a known one.
   */
  settings(options: {
    readonly random: (index: number) => RandomSource;
    /** What has been tried so far, the program's own setting first. */
    readonly trials: () => readonly Trial[];
  }): Iterable<Setting>;
}

/** Examples in one minibatch of TPE. */
const minibatchSize = 8;

export function settingsToTry(
  tunables: readonly Tunable[],
  given: ParameterSearchSettings,
): SettingsToTry {
  const own = settingOf(tunables, ({ value }) => value);
  if (given.method === "grid") {
    const all = grid(tunables, given.values).filter((setting) => keyOf(setting) !== keyOf(own));
    return { own, minibatchSize: Infinity, count: all.length, settings: () => all };
  }
  const isTpe = given.method === "tpe";
  const all = wholeSpace(tunables);
  const count = Math.min(given.trials, (all?.length ?? Infinity) - 1);
  return {
    own,
    minibatchSize: isTpe ? minibatchSize : Infinity,
    count,
    *settings({ random, trials }) {
      const known = new Set([keyOf(own)]);
      const isOpen = (setting: Setting): boolean => !known.has(keyOf(setting));
      for (let trial = 1; trial <= count; trial++) {
        const tried = isTpe ? trials() : [];
        const setting =
          nextSetting(tunables, { tried, random: random(trial), isOpen }) ??
          // Random draws rarely hit what is left of a nearly exhausted space.
          all?.find(isOpen);
        if (setting === undefined) return;
        known.add(keyOf(setting));
        yield setting;
      }
    },
  };
}

/** Identifies a setting; its parameters are always in the same order. */
function keyOf(setting: Setting): string {
  return JSON.stringify(setting);
}

/**
 * An open setting: suggested once ten settings were tried, otherwise drawn at random;
 * `undefined` where all that came up are known.
 */
export function nextSetting(
  tunables: readonly Tunable[],
  {
    tried,
    random,
    isOpen,
    draw = () => drawnSetting(tunables, random),
  }: {
    readonly tried: readonly Trial[];
    readonly random: RandomSource;
    readonly isOpen: (setting: Setting) => boolean;
    /** @default uniformly */
    readonly draw?: () => Setting;
  },
): Setting | undefined {
  const suggest = (): Setting =>
    readableSetting(
      tunables,
      suggestSetting(tunables, tried, () => random.random()),
    );
  const firstOpen = (draw: () => Setting, attempts: number): Setting | undefined => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const setting = draw();
      if (isOpen(setting)) return setting;
    }
    return undefined;
  };
  const suggested =
    tried.length < startupTrials ? undefined : firstOpen(suggest, maxDuplicateSuggestions);
  return suggested ?? firstOpen(draw, maxDuplicateDraws);
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
function readableSetting(tunables: readonly Tunable[], setting: Setting): Setting {
  return settingOf(tunables, ({ name, parameter }) => {
    const value = getOwn(setting, name) as ParameterValue;
    return parameter.kind === "choice" ? value : nearestValue(parameter, Number(value));
  });
}

/**
 * All combinations of some values, in order, each without the parameters that do not matter in it;
 * the last parameter changes first. Throws `option-invalid` for values that a parameter cannot
 * take, for a number without values, and for more than 10,000 combinations.
 */
export function grid(
  tunables: readonly Tunable[],
  given: Readonly<Record<string, readonly ParameterValue[]>>,
): readonly Setting[] {
  const names = tunables.map(({ name }) => name);
  const stray = Object.keys(given).find((name) => !names.includes(name));
  if (stray !== undefined) {
    throw invalid(stray, `with names of searched parameters: ${names.join(", ")}`);
  }
  const axes = tunables.map((tunable) => {
    const { name, parameter } = tunable;
    const options = parameter.kind === "choice" ? parameter.options : [];
    const values = getOwn(given, name) ?? options;
    if (values.length === 0) throw invalid("", `with at least one value of \`${name}\``);
    for (const value of values) {
      const problem = parameterProblem(parameter, value);
      if (problem !== null) throw invalid(value, `with \`${name}\` ${problem}`);
    }
    return { ...tunable, values: [...new Set(values)] };
  });
  const size = axes.reduce((size, { values }) => size * values.length, 1);
  if (size > maxCounted) {
    throw invalid(size, `at most ${maxCounted} combinations; \`method: "tpe"\` handles more`);
  }
  return combinations(axes);
}

function invalid(got: ParameterValue, expected: string): EspalierError {
  return optionOutside("values", got, expected, owner);
}

function combinations(
  axes: readonly (Pick<Tunable, "name" | "when"> & {
    readonly values: readonly ParameterValue[];
  })[],
): readonly Setting[] {
  return axes.reduce<readonly Setting[]>(
    (all, axis) =>
      all.flatMap((before) =>
        isActive(axis, before)
          ? axis.values.map((value) => ({ ...before, [axis.name]: value }))
          : [before],
      ),
    [{}],
  );
}

/** Larger spaces are not enumerated. */
const maxCounted = 10_000;

/** All possible settings of some parameters; `null` if there are infinitely many, or too many. */
function wholeSpace(tunables: readonly Tunable[]): readonly Setting[] | null {
  const size = tunables.reduce((size, { parameter }) => size * valuesIn(parameter), 1);
  if (size > maxCounted) return null;
  return combinations(
    tunables.map(({ parameter, ...tunable }) => ({
      ...tunable,
      values:
        parameter.kind === "choice"
          ? parameter.options
          : Array.from({ length: valuesIn(parameter) }, (_, at) => endsOf(parameter)[0] + at),
    })),
  );
}

function valuesIn(parameter: Parameter): number {
  if (parameter.kind === "choice") return parameter.options.length;
  const [least, most] = endsOf(parameter);
  return parameter.kind === "int" ? most - least + 1 : Infinity;
}
