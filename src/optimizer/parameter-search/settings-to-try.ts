import type { RandomSource } from "../../contract/index.ts";
import type { Parameter } from "../../program/index.ts";
import type { Grid } from "./grid.ts";
import { grid } from "./grid.ts";
import { drawnValue } from "./number-scale.ts";
import type { ParameterSearchSettings } from "./parameter-search-settings.ts";
import type { Setting } from "./setting.ts";
import type { Tunable } from "./tunable.ts";
import { wholeSpace } from "./whole-space.ts";

/** Maximum consecutive draws of known settings before the first unknown one is taken instead. */
const fruitlessDraws = 1_000;

export interface SettingsToTry {
  /** Settings besides the program's own; an upper bound if the space is infinite. */
  readonly count: number;
  /**
   * The settings of a search, without duplicates. Known settings are skipped; random search draws
   * another instead.
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
  const others = all.size - (all.has(ownSetting(tunables)) ? 1 : 0);
  return {
    count: Math.min(others, settings.trials),
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
  const all = wholeSpace(tunables);
  const count = all === null ? trials : Math.min(trials, all.size - 1);
  return {
    count,
    *settings({ random, isKnown }) {
      for (let trial = 1; trial <= count; trial++) {
        const source = random(trial);
        const setting =
          newSetting(() => drawn(tunables, source), isKnown) ?? firstUnknown(all, isKnown);
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

/** Random draws rarely hit what is left of a nearly exhausted space. */
function firstUnknown(
  all: Grid | null,
  isKnown: (setting: Setting) => boolean,
): Setting | undefined {
  for (let place = 0; place < (all?.size ?? 0); place++) {
    const setting = all?.at(place);
    if (setting !== undefined && !isKnown(setting)) return setting;
  }
  return undefined;
}

function ownSetting(tunables: readonly Tunable[]): Setting {
  return Object.fromEntries(tunables.map(({ name, value }) => [name, value]));
}

function drawn(tunables: readonly Tunable[], source: RandomSource): Setting {
  const valueOf = (parameter: Parameter) =>
    parameter.kind === "choice"
      ? source.choice(parameter.options)
      : drawnValue(parameter, source.random());
  return Object.fromEntries(tunables.map(({ name, parameter }) => [name, valueOf(parameter)]));
}
