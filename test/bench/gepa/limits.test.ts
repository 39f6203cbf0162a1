import { describe, expect, it } from "vitest";
import { cells } from "./cells.ts";
import type { CellFigures } from "./figures.ts";
import { checkLimits } from "./limits.ts";

type Measured = Parameters<typeof checkLimits>[0];

const figures = (val: number, runs = 20): CellFigures => {
  return { runs, val, test: val, metricCalls: 200, reflectionCalls: 9 };
};
const overheadOf = (...micros: readonly number[]): Measured["overhead"] =>
  Object.fromEntries(
    [200, 2_000, 10_000].map((size, place) => [
      size,
      { wallMicros: micros[place] ?? NaN, cpuMicros: 1, candidates: 1 },
    ]),
  );
const clock = (wallMs: number, val: number) => ({ wallMs, val, inFlight: 1 });
const interval = { low: 0.01, high: 0.03 };

const kept: Measured = {
  rows: cells.map((cell) => ({
    cell,
    espalier: figures(1),
    espalierFewTexts: figures(0.9),
    gepa: figures(0.9),
    gain: { difference: 0.02, interval },
  })),
  variantRows: [
    { variant: "noise", metricCalls: 200, espalier: figures(0.5), plain: figures(0.5) },
  ],
  overhead: overheadOf(10, 9, 13),
  wall: { espalier: clock(2_000, 0.7), ax: clock(9_000, 0.7) },
};

describe("the limits of the bench", () => {
  it("are all kept and all checked where every figure is there and good enough", () => {
    expect(checkLimits(kept)).toEqual({ missed: [], unchecked: [] });
  });

  it("are named one by one where nothing was measured", () => {
    const rows = cells.map((cell) => ({
      cell,
      espalier: figures(NaN, 0),
      espalierFewTexts: figures(NaN, 0),
    }));
    const { missed, unchecked } = checkLimits({
      rows,
      variantRows: [],
      overhead: null,
      wall: null,
    });
    expect(missed).toEqual([]);
    // Three a cell, plain GEPA, two of the overhead, two of the wall clock.
    expect(unchecked).toHaveLength(3 * cells.length + 5);
    expect(new Set(unchecked).size).toBe(unchecked.length);
  });

  it("lose to a peer that could not be had nothing but what needs it", () => {
    const alone = kept.rows.map(({ cell, espalier, espalierFewTexts }) => {
      return { cell, espalier, espalierFewTexts };
    });
    const { missed, unchecked } = checkLimits({ ...kept, rows: alone });
    expect(missed).toEqual([]);
    expect(unchecked).toHaveLength(2 * cells.length);
    expect(unchecked.every((limit) => limit.includes("gepa"))).toBe(true);
  });

  const [row] = kept.rows;
  if (row === undefined) throw new Error("no cell");
  const variant = { variant: "noise", metricCalls: 200, plain: figures(0.5) };
  it.each<readonly [string, Partial<Measured>]>([
    ["val at least", { rows: [{ ...row, espalier: figures(row.cell.bar - 0.001) }] }],
    [
      "above zero",
      { rows: [{ ...row, gain: { difference: 0, interval: { low: 0, high: 0.02 } } }] },
    ],
    ["number of texts", { rows: [{ ...row, espalierFewTexts: figures(0.89) }] }],
    ["plain GEPA", { variantRows: [{ ...variant, espalier: figures(0.49) }] }],
    ["at 2000 calls", { overhead: overheadOf(19, 21, 19) }],
    ["flat", { overhead: overheadOf(4, 5, 7) }],
    ["flat", { overhead: overheadOf(9, 4, 7) }],
    ["wall clock", { wall: { espalier: clock(2_001, 1), ax: clock(1, 0) } }],
    ["below ax", { wall: { espalier: clock(1, 0.6), ax: clock(1, 0.7) } }],
  ])("are missed: %s", (named, changed) => {
    const { missed, unchecked } = checkLimits({ ...kept, ...changed });
    expect(unchecked).toEqual([]);
    expect(missed).toHaveLength(1);
    expect(missed[0]).toContain(named);
  });
});
