import { describe, expect, it } from "vitest";
import { differenceText, verdictReason } from "../../../src/cli/terminal/difference-text.ts";

const seen = {
  verdict: "undecided",
  difference: 0.3,
  interval: { low: 0.03, high: 0.53 },
  pValue: 0.0625,
  examples: 5,
  clusters: 5,
} as const;

describe("a difference that is not shown", () => {
  it("stands beside no interval that excludes zero", () => {
    expect(differenceText(seen)).toBe(
      "+0.3000  (no interval: with 5 clusters it would be too narrow), p = 0.0625",
    );
    // 2.8 standard errors of 0.5 / 3.92 each, over 0.3, squared: 7.09 clusters; there are 5.
    expect(verdictReason(seen)).toEqual([
      "undecided by p: it is above 0.05, as it always is with fewer than six clusters",
      "about 3 more examples in other clusters would show a difference of this size, if it is real",
    ]);
  });

  it("says that its interval decided, and how many more examples would help", () => {
    const wide = { ...seen, interval: { low: -0.1, high: 0.7 }, pValue: 0.04, clusters: 10 };
    // (1.96 + 0.84) standard errors of 0.8 / 3.92 each, over 0.3, squared: 3.63 times 10 clusters.
    expect(verdictReason({ ...wide, examples: 20 })).toEqual([
      "undecided by the interval: it includes zero",
      "about 53 more examples in other clusters would show a difference of this size, if it is real",
    ]);
  });

  it("promises nothing where there is no difference, or no interval", () => {
    expect(verdictReason({ ...seen, difference: 0, interval: { low: 0, high: 0 } })).toEqual([]);
    expect(verdictReason({ ...seen, interval: null, clusters: 1 })).toEqual([
      "undecided: there are fewer than two clusters",
    ]);
  });
});

it("a difference that is shown names both of its reasons", () => {
  const shown = { ...seen, verdict: "better", pValue: 0.002, clusters: 12 } as const;
  expect(differenceText(shown)).toBe("+0.3000  [0.0300, 0.5300] 95 %, p = 0.0020");
  expect(verdictReason(shown)).toEqual([
    "decided by both: the interval excludes zero, and p is at most 0.05",
  ]);
});
