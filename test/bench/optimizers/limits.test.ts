import { describe, expect, it } from "vitest";
import type { EngineFigures, Gain } from "./comparison/cell-figures.ts";
import type { CellRow } from "./comparison/table.ts";
import type { Measured } from "./limits.ts";
import { checkLimits } from "./limits.ts";
import { leverShapes } from "./levers/lever-shapes.ts";
import { parts } from "./options.ts";

const every = new Set(Object.keys(parts) as (keyof typeof parts)[]);
const interval = { low: 0.01, high: 0.03 };
const figures = (engine: string, val: number): EngineFigures => ({
  engine,
  runs: 20,
  val,
  test: val,
  interval,
  metricCalls: 200,
  texts: 9,
  wallMs: 1,
  ended: {},
  ahead: { difference: 0.02, interval },
});
const rowOf = (shape: string, metricCalls: number, engines: readonly EngineFigures[]): CellRow => ({
  shape,
  about: "",
  actsOn: "one",
  metricCalls,
  engines,
});
const [ours, few] = [figures("espalier", 1), figures("espalier, half the texts", 0.9)];
const [gepa, worse] = [figures("gepa 0.1.4, merge", 0.9), figures("gepa 0.1.4, default", 0.8)];
const rowsWith = (engines: readonly EngineFigures[]): readonly CellRow[] =>
  ["additive", "conflict"].flatMap((shape) =>
    [200, 500].map((budget) => rowOf(shape, budget, engines)),
  );
/** Shapes a to e with their own mocks; the standard error of the mean on test is .01. */
const shapesWith = (test: number): readonly CellRow[] =>
  ["a", "b", "c", "c'", "d"]
    .flatMap((shape) => [200, 500].map((budget) => [shape, budget] as const))
    .concat([2_000, 5_000].map((budget) => ["e", budget] as const))
    .map(([shape, budget]) => {
      const low = { low: test - 0.0196, high: test + 0.0196 };
      const engine = { ...figures("espalier", test), interval: low };
      return { ...rowOf(shape, budget, [engine]), actsOn: shape === "c'" ? "all" : "three" };
    });
const overheadOf = (...micros: readonly number[]): Measured["overhead"] =>
  Object.fromEntries(
    [200, 2_000, 10_000].map((size, index) => [
      size,
      { wallMicros: micros[index] ?? NaN, cpuMicros: 1, candidates: 1 },
    ]),
  );
const clocksOf = (wallMs: number, val: number, axVal: number): Measured["wallClock"] => {
  const ax = { wallMs: 9_000, val: axVal, inFlight: 1 };
  return { espalier: { wallMs, val, inFlight: 20 }, ax, axRepaired: ax };
};
const variant = (val: number): readonly CellRow[] => [
  rowOf("additive+noise", 200, [figures("espalier", val), figures("espalier, plain GEPA", 0.5)]),
];
const gainOf = (difference: number): Gain => ({
  difference,
  interval: { low: difference - 0.0196, high: difference + 0.0196 },
});
const mipro = figures("DSPy 3.4.1, MIPROv2", 0.5);
const ownMipro = { ...figures("espalier, miproV2", 0.5), overNamesake: gainOf(-0.0195) };
/** The standard error of each paired difference is .01. */
const leversWith = (engines: readonly EngineFigures[] = [ownMipro, mipro]): readonly CellRow[] =>
  leverShapes.flatMap(({ key, budgets }) => budgets.map((budget) => rowOf(key, budget, engines)));
/** As wanted but in one cell. */
const leversBut = (cell: string, engines: readonly EngineFigures[]): readonly CellRow[] => {
  const [key, budget] = cell.split(" at ");
  const isIt = (row: CellRow): boolean => row.shape === key && row.metricCalls === Number(budget);
  const changed = leversWith(engines).find(isIt);
  if (changed === undefined) throw new Error(`no cell ${cell}`);
  return leversWith().map((row) => (isIt(row) ? changed : row));
};
/** Cells of `miproV2()`. */
const ofLevers = 14;
const costOf = (ratio: number): Measured["processCosts"] => [
  { metricCalls: 200, oursMs: 1, gepaMs: 1, ratio },
];

const kept: Measured = {
  rows: [...rowsWith([ours, worse, gepa, few]), ...shapesWith(1)],
  variants: variant(0.5),
  levers: leversWith(),
  overhead: overheadOf(10, 9, 13),
  wallClock: clocksOf(2_000, 0.7, 0.7),
  processCosts: costOf(0.3),
};

describe("the limits of the bench", () => {
  it("are all kept and all checked where every figure is there and good enough", () => {
    const { kept: named, missed, unchecked } = checkLimits(kept, every);
    expect({ missed, unchecked }).toEqual({ missed: [], unchecked: [] });
    // Three a cell, twelve of the shapes, plain GEPA, the levers, four of the overhead, two of the
    // wall clock, a process.
    expect(named).toHaveLength(3 * 4 + 12 + 1 + ofLevers + 4 + 2 + 1);
  });

  it("are named one by one where nothing was measured", () => {
    const nothing: Measured = {
      rows: [],
      variants: [],
      levers: [],
      overhead: null,
      wallClock: null,
      processCosts: null,
    };
    const { kept: none, missed, unchecked } = checkLimits(nothing, every);
    expect([...none, ...missed]).toEqual([]);
    // Three a cell, twelve of the shapes, plain GEPA, the levers, two of the overhead and of the
    // wall clock, processes.
    expect(unchecked).toHaveLength(3 * 4 + 12 + 1 + ofLevers + 2 + 2 + 1);
    expect(new Set(unchecked).size).toBe(unchecked.length);
  });

  it("are those of the parts that were asked for", () => {
    const { kept: named, unchecked } = checkLimits(kept, new Set(["wall-clock"]));
    expect(named.map((limit) => limit.split(":")[0])).toEqual(["wall clock", "wall clock"]);
    expect(unchecked).toEqual([]);
  });

  it("lose to a peer that could not be had nothing but what needs it", () => {
    const { missed, unchecked } = checkLimits(
      { ...kept, rows: [...rowsWith([ours, few]), ...shapesWith(1)] },
      every,
    );
    expect(missed).toEqual([]);
    expect(unchecked).toHaveLength(2 * 4);
    expect(unchecked.every((limit) => limit.includes("gepa"))).toBe(true);
  });

  it("leave a shape one standard error", () => {
    const rows = [...kept.rows.slice(0, -1), ...shapesWith(0.9851).slice(-1)];
    expect(checkLimits({ ...kept, rows }, every).missed).toEqual([]);
  });

  it("are not checked where DSPy did not run", () => {
    const own = figures("espalier, miproV2", 0.5);
    const { missed, unchecked } = checkLimits(
      { ...kept, levers: leversBut("levers-noise at 1000", [own]) },
      every,
    );
    expect(missed).toEqual([]);
    expect(unchecked).toEqual([
      expect.stringContaining("levers-noise at 1000: miproV2() not below DSPy"),
    ]);
  });

  it("compare with gepa's best configuration on test", () => {
    const overtaken = { ...gepa, ahead: { difference: 0, interval: { low: -0.01, high: 0.02 } } };
    const { missed } = checkLimits(
      { ...kept, rows: [...rowsWith([ours, worse, overtaken, few]), ...shapesWith(1)] },
      every,
    );
    expect(missed).toHaveLength(4);
  });

  const conflictWith = (engines: readonly EngineFigures[]): readonly CellRow[] => [
    ...kept.rows.slice(0, 3),
    rowOf("conflict", 500, engines),
    ...shapesWith(1),
  ];
  const withE = (test: number): readonly CellRow[] => [
    ...kept.rows.slice(0, -1),
    ...shapesWith(test).slice(-1),
  ];
  const level = (engine: EngineFigures): EngineFigures => ({
    ...engine,
    ahead: { difference: 0, interval: { low: 0, high: 0.02 } },
  });
  const drawn = level(gepa);
  it.each<readonly [string, Partial<Measured>]>([
    ["val at least", { rows: conflictWith([figures("espalier", 0.574), gepa, few]) }],
    ["e at 5000: test at least 0.995 less one", { rows: withE(0.9849) }],
    ["above zero", { rows: conflictWith([ours, drawn, few]) }],
    ["number of texts", { rows: conflictWith([ours, gepa, { ...few, val: 0.89 }]) }],
    ["plain GEPA", { variants: variant(0.49) }],
    [
      "levers-none at 300: miproV2() not below",
      {
        levers: leversBut("levers-none at 300", [
          { ...ownMipro, overNamesake: gainOf(-0.0197) },
          mipro,
        ]),
      },
    ],
    [
      "levers-graded at 1000: miproV2() not below",
      {
        levers: leversBut("levers-graded at 1000", [
          { ...ownMipro, overNamesake: { difference: -0.001, interval: null } },
          mipro,
        ]),
      },
    ],
    ["at 2000 calls", { overhead: overheadOf(19, 21, 19) }],
    ["flat", { overhead: overheadOf(4, 5, 7) }],
    ["flat", { overhead: overheadOf(9, 4, 7) }],
    ["wall clock: at most", { wallClock: clocksOf(2_001, 1, 0) }],
    ["below ax", { wallClock: clocksOf(1, 0.6, 0.7) }],
    ["third of gepa's CPU", { processCosts: costOf(0.34) }],
  ])("are missed: %s", (named, changed) => {
    const { missed, unchecked } = checkLimits({ ...kept, ...changed }, every);
    expect(unchecked).toEqual([]);
    expect(missed).toHaveLength(1);
    expect(missed[0]).toContain(named);
  });
});
