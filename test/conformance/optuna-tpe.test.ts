import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Parameter, ParameterValue } from "espalier";
import type { Trial } from "../../src/optimizer/parameter-search/tpe/suggest-setting.ts";
import {
  densities,
  suggestSetting,
} from "../../src/optimizer/parameter-search/tpe/suggest-setting.ts";
import type { Tunable } from "../../src/optimizer/parameter-search/tunable.ts";
import { initBySeed, mersenneTwister } from "./support/mersenne-twister.ts";

/** Optuna draws at random before, by another generator. */
const startupTrials = 10;
const recorded = (
  JSON.parse(
    readFileSync(new URL("fixtures/optuna-tpe.json", import.meta.url), "utf8"),
  ) as readonly Recorded[]
).map(studyOf);

it("9 studies of Optuna's sampler, of 60 trials each, are recorded", () => {
  expect(recorded.map(({ trials }) => trials.length)).toEqual(Array.from({ length: 9 }, () => 60));
});

describe.each(recorded)("TPE of Optuna 5.0.0, $name", (study) => {
  const { seed, tunables, trials } = study;

  it("suggests every setting that Optuna suggested, from the same draws", () => {
    const { random } = mersenneTwister(initBySeed(seed));
    for (const [index, { setting }] of trials.entries()) {
      if (index < startupTrials) continue;
      const suggested = suggestSetting(tunables, trials.slice(0, index), random);
      expect(Object.keys(suggested)).toEqual(Object.keys(setting));
      for (const [name, value] of Object.entries(setting)) {
        expect(suggested[name]).toSatisfy(isNear(value));
      }
    }
    expect(random()).toBe(study.nextDraw);
  });

  it("gives the log-densities that Optuna gave, of good settings and of the others", () => {
    expect(study.densities.length).toBeGreaterThanOrEqual(5);
    for (const { trial, names, points, good, others } of study.densities) {
      const group = names.map((name) => tunables.find((one) => one.name === name) as Tunable);
      const own = densities(group, trials.slice(0, trial));
      for (const [index, point] of points.entries()) {
        expect(own.good.logDensity(point)).toSatisfy(isNear(good[index]));
        expect(own.others.logDensity(point)).toSatisfy(isNear(others[index]));
      }
    }
  });
});

/** To 1e-9, of 1 or of a number that is greater; words are the same. */
function isNear(expected: ParameterValue | undefined): (value: unknown) => boolean {
  return (value) =>
    value === expected ||
    Math.abs(Number(value) - Number(expected)) <= 1e-9 * Math.max(1, Math.abs(Number(expected)));
}

interface Densities {
  /** Number of the trial for which they were made. */
  readonly trial: number;
  readonly names: readonly string[];
  readonly points: readonly (readonly number[])[];
  readonly good: readonly number[];
  readonly others: readonly number[];
}

/** As `fixtures/optuna-tpe.py` writes it. */
interface Recorded {
  readonly name: string;
  readonly seed: number;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Values of the parameters in their order, `null` where one does not matter, and the result. */
  readonly trials: readonly (readonly [readonly (ParameterValue | null)[], number])[];
  readonly densities: readonly Densities[];
  readonly nextDraw: number;
}

interface Study extends Pick<Recorded, "name" | "seed" | "densities" | "nextDraw"> {
  readonly tunables: readonly Tunable[];
  readonly trials: readonly Trial[];
}

function studyOf({ parameters, trials, ...recorded }: Recorded): Study {
  const names = Object.keys(parameters);
  return {
    ...recorded,
    tunables: Object.entries(parameters).map(([name, parameter]) => ({
      name,
      parameter,
      value: parameter.default,
    })),
    trials: trials.map(([values, value]) => ({
      setting: Object.fromEntries(
        values.flatMap((value, index): [string, ParameterValue][] =>
          value === null ? [] : [[names[index] as string, value]],
        ),
      ),
      value,
    })),
  };
}
