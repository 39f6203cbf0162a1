import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import { linearPosterior, normalQuantile } from "../../src/statistics/index.ts";

const feature = (...weights: readonly number[]) => new Map(weights.entries());

describe("a linear posterior", () => {
  it("of one coefficient is the closed form of a normal mean", () => {
    const values = [1, 2, 4];
    const { mean, varianceOf } = linearPosterior(
      values.map((value) => ({ features: feature(1), value })),
      { priorVariances: [2], noiseVariance: 3 },
    );
    const precision = 1 / 2 + values.length / 3;
    expect(mean[0]).toBeCloseTo(7 / 3 / precision, 12);
    expect(varianceOf(feature(1))).toBeCloseTo(1 / precision, 12);
  });

  it("of two coefficients solves the normal equations", () => {
    const rows = [
      [1, 0, 2],
      [1, 1, 3],
      [0, 1, -1],
    ] as const;
    const { mean } = linearPosterior(
      rows.map(([one, other, value]) => ({ features: feature(one, other), value })),
      { priorVariances: [1, 0.5], noiseVariance: 1 },
    );
    // (X'X + diag(1, 2)) b = X'y: [[3, 1], [1, 4]] b = [5, 2].
    expect(mean[0]).toBeCloseTo(18 / 11, 12);
    expect(mean[1]).toBeCloseTo(1 / 11, 12);
  });

  it("is the prior without observations", () => {
    const { mean, varianceOf } = linearPosterior([], {
      priorVariances: [4, 9],
      noiseVariance: 1,
    });
    expect([...mean]).toEqual([0, 0]);
    expect(varianceOf(feature(1, 1))).toBeCloseTo(13, 12);
  });

  it("draws with its own mean and covariance", () => {
    const { mean, varianceOf, draw } = linearPosterior(
      [
        { features: feature(1, 1), value: 2 },
        { features: feature(1, 0), value: 0 },
      ],
      { priorVariances: [1, 1], noiseVariance: 0.5 },
    );
    const random = randomSource(0, "draws", 0);
    const draws = Array.from({ length: 20_000 }, () => draw(() => normalQuantile(random.random())));
    const sums = draws.map(([one = 0, other = 0]) => one + other);
    const expected = (mean[0] ?? 0) + (mean[1] ?? 0);
    const average = sums.reduce((total, sum) => total + sum, 0) / sums.length;
    const spread = sums.reduce((total, sum) => total + (sum - average) ** 2, 0) / sums.length;
    const variance = varianceOf(feature(1, 1));
    // Four standard errors of a mean and of a variance.
    expect(Math.abs(average - expected)).toBeLessThan(4 * Math.sqrt(variance / sums.length));
    expect(Math.abs(spread / variance - 1)).toBeLessThan(4 * Math.sqrt(2 / sums.length));
  });
});
