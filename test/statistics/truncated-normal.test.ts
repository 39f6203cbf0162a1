import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { normalLogCdf, normalLogQuantile } from "../../src/statistics/normal.ts";
import { truncatedNormal } from "../../src/statistics/truncated-normal.ts";

type Pair = readonly [x: number, y: number];

/** As `fixtures/normal-tails.py` writes it. */
const scipy = JSON.parse(
  readFileSync(new URL("fixtures/normal-tails.json", import.meta.url), "utf8"),
) as {
  readonly logCdf: readonly Pair[];
  readonly logQuantile: readonly Pair[];
  readonly truncated: readonly {
    readonly mean: number;
    readonly deviation: number;
    readonly low: number;
    readonly high: number;
    readonly quantiles: readonly Pair[];
    readonly logDensities: readonly Pair[];
    readonly masses: readonly (readonly [from: number, to: number, mass: number])[];
  }[];
};

function expectNear(value: number, expected: number, tolerance: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(tolerance * Math.abs(expected));
}

test.each(scipy.logCdf)("the log-probability below %d is scipy's", (x, expected) => {
  expectNear(normalLogCdf(x), expected, 1e-12);
});

test.each(scipy.logQuantile)("the quantile of the log-probability %d is scipy's", (p, expected) => {
  expectNear(normalLogQuantile(p), expected, 1e-11);
});

describe.each(scipy.truncated)(
  "around $mean, $deviation wide, cut to $low and $high",
  ({ quantiles, logDensities, masses, ...options }) => {
    const own = truncatedNormal(options);

    it("has scipy's densities, quantiles and masses", () => {
      for (const [share, expected] of quantiles) expectNear(own.quantile(share), expected, 1e-9);
      for (const [x, expected] of logDensities) expectNear(own.logDensity(x), expected, 1e-11);
      for (const [from, to, expected] of masses) {
        expect(Math.exp(own.logMass(from, to))).toBeCloseTo(expected, 12);
      }
    });

    it("has nothing outside, and its ends as its first and last quantile", () => {
      const { low, high } = options;
      expect([own.logDensity(low - 1e-9), own.logDensity(high + 1e-9)]).toEqual([
        -Infinity,
        -Infinity,
      ]);
      expect([own.quantile(0), own.quantile(1)]).toEqual([low, high]);
    });
  },
);
