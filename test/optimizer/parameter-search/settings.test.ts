import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choice, int, randomSource, real } from "espalier";
import { grid } from "../../../src/optimizer/parameter-search/settings-to-try.ts";
import { drawnValue, tunableParameters } from "../../../src/optimizer/parameter-search/tunable.ts";
import { settingsToTry } from "../../../src/optimizer/parameter-search/settings-to-try.ts";
import type { NumberRange } from "../../../src/optimizer/parameter-search/tunable.ts";

const hops = int({ default: 1, min: 1, max: 3 });
const share = real({ default: 0, min: 0, max: 1 });
const k0 = int({ default: 60, min: 1, max: 1000, isLogScale: true });
const mode = choice(["plain", "loud"]);

describe("a grid", () => {
  it("changes the last parameter first", () => {
    const tunables = [
      { name: "hops", parameter: hops, value: 1 },
      { name: "mode", parameter: mode, value: "plain" },
    ];
    const settings = grid(tunables, { hops: [1, 2, 3] });
    expect(settings.map((setting) => Object.values(setting).join(" "))).toEqual([
      "1 plain",
      "1 loud",
      "2 plain",
      "2 loud",
      "3 plain",
      "3 loud",
    ]);
  });

  it("has the values given, in their order, each once", () => {
    const settings = grid([{ name: "k0", parameter: k0, value: 60 }], { k0: [60, 20, 60] });
    expect(settings).toEqual([{ k0: 60 }, { k0: 20 }]);
  });
});

describe("parameters that matter only sometimes", () => {
  // 3 settings of plain, and 3 times 2 of loud.
  const tunables = [
    { name: "mode", parameter: mode, value: "plain" },
    { name: "hops", parameter: hops, value: 1 },
    { name: "share", parameter: share, value: 0.5, when: { mode: "loud" } },
  ];

  it("are in a grid where they matter alone, and each setting is once", () => {
    const settings = grid(tunables, { hops: [1, 2, 3], share: [0, 1] });
    expect(settings.map((setting) => Object.values(setting).join(" "))).toEqual([
      "plain 1",
      "plain 2",
      "plain 3",
      "loud 1 0",
      "loud 1 1",
      "loud 2 0",
      "loud 2 1",
      "loud 3 0",
      "loud 3 1",
    ]);
  });

  it("are drawn where they matter alone", () => {
    const { own, settings } = settingsToTry(tunables, {
      method: "random",
      trials: 30,
    });
    expect(own).toEqual({ mode: "plain", hops: 1 });
    const drawn = settings({
      random: (index) => randomSource(3, "settings", index),
      trials: () => [],
    });
    const names = new Map<unknown, string>();
    for (const setting of drawn) names.set(setting["mode"], Object.keys(setting).join(" "));
    expect(names).toEqual(
      new Map([
        ["plain", "mode hops"],
        ["loud", "mode hops share"],
      ]),
    );
  });

  it("matter by what those matter by that are left as they are", () => {
    const parameters = {
      mode,
      volume: choice(["low", "high"], { when: { mode: "loud" } }),
      share: real({ default: 0, min: 0, max: 1, when: { volume: "low" } }),
    };
    const components = [
      { kind: "parameter", path: "mode", value: "plain" },
      { kind: "parameter", path: "volume", value: "low" },
      { kind: "parameter", path: "share", value: 0 },
    ] as const;
    const space = { name: "p", components, parameters, train: [], val: [], describe: () => "" };
    const whenOf = (selected: readonly string[]) =>
      tunableParameters(space, selected).find(({ name }) => name === "share")?.when;
    expect(whenOf(["mode", "volume", "share"])).toEqual({ volume: "low" });
    expect(whenOf(["mode", "share"])).toEqual({ mode: "loud" });
    expect(() => whenOf(["volume", "share"])).toThrow(/`mode` and `volume`/);
  });
});

describe("random settings", () => {
  it("are all that there are where as many are asked for, however seldom one is drawn", () => {
    const tunables = [{ name: "k0", parameter: k0, value: 60 }];
    const { count, settings } = settingsToTry(tunables, {
      method: "random",
      trials: 5_000,
    });
    const known = new Set<unknown>([60]);
    const tried = settings({
      random: (index) => randomSource(7, "settings", index),
      trials: () => [],
    });
    let number = 0;
    for (const setting of tried) {
      known.add(setting["k0"]);
      number++;
    }
    expect([count, number, known.size]).toEqual([999, 999, 1_000]);
  });
});

describe("a drawn number", () => {
  const draws = (parameter: NumberRange, count = 20_000) => {
    const random = randomSource(7, "draws", 0);
    return Array.from({ length: count }, () => drawnValue(parameter, random.random()));
  };
  const shareOf = (values: readonly number[], holds: (value: number) => boolean) =>
    values.filter(holds).length / values.length;

  it("is each whole number equally often", () => {
    const values = draws(hops);
    for (const value of [1, 2, 3]) {
      expect(shareOf(values, (drawn) => drawn === value)).toBeCloseTo(1 / 3, 1);
    }
  });

  it("falls equally often into each decade of a log scale", () => {
    const values = draws(int({ default: 1, min: 1, max: 999, isLogScale: true }));
    for (const [from, to] of [
      [1, 9],
      [10, 99],
      [100, 999],
    ] as const) {
      expect(shareOf(values, (drawn) => drawn >= from && drawn <= to)).toBeCloseTo(1 / 3, 1);
    }
  });

  it("falls equally often into each part of a real range", () => {
    const values = draws(real({ default: 0, min: -2, max: 2 }));
    expect(shareOf(values, (drawn) => drawn < -1)).toBeCloseTo(1 / 4, 1);
  });

  it("is always in its range, whole where it must be", () => {
    const range = fc
      .tuple(
        fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
      )
      .map(([min, width]) => ({ min, max: min + width }));
    fc.assert(
      fc.property(
        range,
        fc.boolean(),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        ({ min, max }, isLogScale, draw) => {
          const reals: NumberRange = { kind: "real", default: min, min, max, isLogScale };
          const real = drawnValue(reals, draw);
          expect(real).toBeGreaterThanOrEqual(min);
          expect(real).toBeLessThanOrEqual(max);
          const ints: NumberRange = {
            kind: "int",
            default: 1,
            min: 1,
            max: 1 + Math.floor(max),
            isLogScale,
          };
          const whole = drawnValue(ints, draw);
          expect(Number.isInteger(whole)).toBe(true);
          expect(whole).toBeGreaterThanOrEqual(1);
          expect(whole).toBeLessThanOrEqual(ints.max);
        },
      ),
    );
  });
});
