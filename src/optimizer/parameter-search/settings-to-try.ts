import type { RandomSource } from "../../contract/index.ts";
import type { Parameter } from "../../program/index.ts";
import { grid } from "./grid.ts";
import { drawnValue } from "./number-scale.ts";
import type { ParameterSearchSettings } from "./parameter-search-settings.ts";
import type { Setting } from "./setting.ts";
import type { Tunable } from "./tunable.ts";

/** Draws in a row that may bring a known setting, before the space counts as used up. */
const fruitlessDraws = 1_000;

export interface SettingsToTry {
  /** At most, beside the program's own. */
  readonly count: number;
  /**
   * The settings of a search, each once. One that is known already is passed over; in random search
   * another is drawn in its place.
   */
  settings(options: {
    readonly random: (index: number) => RandomSource;
    readonly isKnown: (setting: Setting) => boolean;
  }): Iterable<Setting>;
}

export function settingsToTry(
  tunables: readonly Tunable[],
  settings: ParameterSearchSettings,
): SettingsToTry {
  return settings.method === "grid"
    ? gridSettings(tunables, settings)
    : randomSettings(tunables, settings.trials);
}

function gridSettings(
  tunables: readonly Tunable[],
  settings: ParameterSearchSettings,
): SettingsToTry {
  const all = grid(tunables, settings);
  return {
    count: Math.min(all.size, settings.trials),
    *settings({ isKnown }) {
      let left = settings.trials;
      for (let place = 0; place < all.size && left > 0; place++) {
        const setting = all.at(place);
        if (isKnown(setting)) continue;
        left--;
        yield setting;
      }
    },
  };
}

function randomSettings(tunables: readonly Tunable[], trials: number): SettingsToTry {
  return {
    count: trials,
    *settings({ random, isKnown }) {
      for (let trial = 1; trial <= trials; trial++) {
        const source = random(trial);
        const setting = newSetting(() => drawn(tunables, source), isKnown);
        if (setting === undefined) return;
        yield setting;
      }
    },
  };
}

function newSetting(
  draw: () => Setting,
  isKnown: (setting: Setting) => boolean,
): Setting | undefined {
  for (let attempt = 0; attempt < fruitlessDraws; attempt++) {
    const setting = draw();
    if (!isKnown(setting)) return setting;
  }
  return undefined;
}

function drawn(tunables: readonly Tunable[], source: RandomSource): Setting {
  const valueOf = (parameter: Parameter) =>
    parameter.kind === "choice"
      ? source.choice(parameter.options)
      : drawnValue(parameter, source.random());
  return Object.fromEntries(tunables.map(({ name, parameter }) => [name, valueOf(parameter)]));
}
