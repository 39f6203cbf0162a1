import { expect, it } from "vitest";
import { differenceText, reasonLines } from "../../../src/cli/terminal/figures-text.ts";

const seen = {
  verdict: "undecided",
  difference: 0.3,
  interval: { low: 0.03, high: 0.53 },
  pValue: 0.0625,
  examples: 5,
  clusters: 5,
  better: 4,
  worse: 1,
} as const;

it("a difference that is not shown stands beside no interval that excludes zero", () => {
  expect(reasonLines(seen)).toEqual([
    "  difference +0.3000  (no interval: 5 independent groups of examples are too few), p = 0.0625; of 5 examples 4 better, 1 worse",
    "  undecided: p is above 0.05, as it always is with fewer than six independent groups of examples",
    "  about 3 more independent examples would show a difference of this size, if it is real",
  ]);
});

it("a difference that is shown stands beside what decided", () => {
  const shown = { ...seen, verdict: "better", pValue: 0.002, clusters: 12 } as const;
  expect(differenceText(shown)).toBe("+0.3000  [0.0300, 0.5300] 95 %, p = 0.0020");
});
