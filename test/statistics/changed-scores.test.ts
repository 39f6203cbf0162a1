import { expect, it } from "vitest";
import { changedScores } from "../../src/statistics/index.ts";

it("names what both sides scored, and scored differently, largest change first", () => {
  const baseline = new Map([
    ["same", 1],
    ["up", 0.25],
    ["not scored", null],
    ["down", 1],
    ["as far up", 0],
    ["alone", 1],
  ]);
  const other = new Map([
    ["up", 0.5],
    ["down", 0],
    ["same", 1],
    ["not scored", 1],
    ["as far up", 0.25],
  ]);
  expect(changedScores(baseline, other)).toEqual([
    { key: "down", baseline: 1, other: 0 },
    { key: "up", baseline: 0.25, other: 0.5 },
    { key: "as far up", baseline: 0, other: 0.25 },
  ]);
});
