import { expect, it } from "vitest";
import { randomSource } from "../../src/internal/index.ts";
import { ratioBootstrap } from "../../src/statistics/index.ts";

const random = () => randomSource(1, "ratio-bootstrap", 0);

it("covers the mean of fair coins in clusters about as often as it says", () => {
  const clusterCount = 40;
  const coins = randomSource(7, "coins", 0);
  const means = Array.from({ length: 300 }, () => {
    const sums = new Float64Array(clusterCount);
    const counts = new Float64Array(clusterCount).fill(3);
    for (const cluster of sums.keys()) sums[cluster] = coins.below(4);
    return { sums, counts };
  });
  const intervals = ratioBootstrap({ clusterCount, means, resamples: 1_000, random: random() });
  const covered = intervals.filter(
    (interval) => interval !== null && interval.low <= 0.5 && 0.5 <= interval.high,
  ).length;
  // 95 % of 300 is 285, with a standard deviation of 3.8; the bootstrap of 40 falls a little short.
  expect(covered).toBeGreaterThan(265);
  expect(covered).toBeLessThan(298);
});

it("is as wide as the normal approximation for many clusters", () => {
  const clusterCount = 400;
  const coins = randomSource(9, "coins", 0);
  const sums = new Float64Array(clusterCount).map(() => coins.random());
  const counts = new Float64Array(clusterCount).fill(1);
  const [interval] = ratioBootstrap({
    clusterCount,
    means: [{ sums, counts }],
    resamples: 4_000,
    random: random(),
  });
  const { low, high } = interval ?? { low: Number.NaN, high: Number.NaN };
  const reach = 2 * 1.96 * Math.sqrt(1 / 12 / clusterCount);
  expect((high - low) / reach).toBeGreaterThan(0.9);
  expect((high - low) / reach).toBeLessThan(1.1);
});

it("has none where fewer than two clusters have a value", () => {
  const sums = Float64Array.of(3, 0, 0);
  const counts = Float64Array.of(4, 0, 0);
  const means = [{ sums, counts }];
  expect(ratioBootstrap({ clusterCount: 3, means, resamples: 100, random: random() })).toEqual([
    null,
  ]);
});
