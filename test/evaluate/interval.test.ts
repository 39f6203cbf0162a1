import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Example } from "../../src/contract/index.ts";
import { conversations } from "./conversations.ts";
import type { Held } from "./programs.ts";
import { evaluateValues, identity } from "./programs.ts";

interface ScipyInterval {
  readonly clusters: readonly (readonly number[])[];
  readonly low: number;
  readonly high: number;
}

const { intervals } = JSON.parse(
  await readFile(new URL("fixtures/scipy-reference.json", import.meta.url), "utf8"),
) as { readonly intervals: readonly ScipyInterval[] };

// With 40,000 resamples the standard error of a bound is about 0.35 % of the interval's width.
test.each(intervals.map((reference) => ({ ...reference, count: reference.clusters.length })))(
  "agrees with scipy's BCa interval over $count clusters",
  async ({ clusters, low, high }) => {
    const { interval } = await evaluateValues(clusters, { resamples: 40_000 });
    const tolerance = 0.02 * (high - low);
    expect(Math.abs((interval?.low ?? NaN) - low)).toBeLessThan(tolerance);
    expect(Math.abs((interval?.high ?? NaN) - high)).toBeLessThan(tolerance);
  },
);

test("gives a metric's own aggregate the same interval when that is the mean", async () => {
  const { clusters } = intervals[0]!;
  const mean = {
    ...identity,
    aggregate: (rows: readonly { readonly value: number }[]) =>
      rows.reduce((sum, { value }) => sum + value, 0) / rows.length,
  };
  const [plain, aggregated] = [
    await evaluateValues(clusters, { resamples: 500 }),
    await evaluateValues(clusters, { resamples: 500, metric: mean }),
  ];
  expect(aggregated.interval?.low).toBeCloseTo(plain.interval?.low ?? NaN, 12);
  expect(aggregated.interval?.high).toBeCloseTo(plain.interval?.high ?? NaN, 12);
});

test("hands an aggregate the examples of resampled rows", async () => {
  const seen = new Set<Example<Held>>();
  const judge = {
    ...identity,
    aggregate: (rows: readonly { readonly value: number; readonly example: Example<Held> }[]) => {
      for (const { value, example } of rows) {
        expect(example.input.value).toBe(value);
        seen.add(example);
      }
      return rows.length;
    },
  };
  await evaluateValues([[1, 2], 3], { resamples: 20, metric: judge });
  expect(seen.size).toBe(3);
});

test("depends on the seed and on nothing else", async () => {
  const at = async (seed: number) =>
    (await evaluateValues(conversations(0), { resamples: 200, seed })).interval;
  const [first, again] = [await at(1), await at(1)];
  expect(again).toEqual(first);
  const many = await Promise.all([2, 3, 4, 5].map(at));
  expect(new Set(many.map((interval) => JSON.stringify(interval))).size).toBeGreaterThan(1);
});

test("is a point when all clusters agree, and absent when there is one or no resample", async () => {
  expect((await evaluateValues([1, 1, [1, 1]], { resamples: 100 })).interval).toEqual({
    low: 1,
    high: 1,
  });
  expect((await evaluateValues([[0, 1, 0, 1]], { resamples: 100 })).interval).toBeNull();
  expect((await evaluateValues([0, 1], { resamples: 0 })).interval).toBeNull();
});
