import type { ParameterValue, RandomSource } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Grid } from "./grid.ts";
import { grid, wholeSpace } from "./grid.ts";
import { drawnValue, nearestValue, settingOf } from "./tunable.ts";
import type { ParameterSearchSettings } from "./parameter-search-settings.ts";
import type { Setting, Tunable } from "./tunable.ts";
import type { Trial } from "./tpe/suggest-setting.ts";
import { suggestSetting } from "./tpe/suggest-setting.ts";

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
