import { expect, test } from "vitest";
import { testMartingale } from "../../src/statistics/index.ts";

const shares = [0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028125];

function after(values: readonly number[], threshold = 0): number {
  const bet = testMartingale(shares.map((share) => share / (1 + threshold)));
  for (const value of values) bet.add(value - threshold);
  return bet.wealth;
}

test("wealth is the mean over the bets of what each makes of the values", () => {
  // Computed in exact fractions with Python: mean over b = .9 / 2^k, k = 0..5, of the product of
  // 1 + b / (1 + t) * (v - t).
  expect(after([])).toBe(1);
  expect(after([1])).toBeCloseTo(1.2953125, 12);
  expect(after([1, -0.5])).toBeCloseTo(1.05767822265625, 12);
  const values = [0.5, -0.25, 1, 1 / 3, -1, 0.125];
  expect(after(values, 0.05)).toBeCloseTo(0.8781174614688243, 12);
});

test("under a mean at the threshold, wealth is 1 on average over all that can come", () => {
  // Their mean is .1.
  const outcomes = [
    { value: 1, probability: 0.3 },
    { value: 0, probability: 0.5 },
    { value: -1, probability: 0.2 },
  ];
  const sequences = (length: number): readonly (typeof outcomes)[] =>
    length === 0
      ? [[]]
      : sequences(length - 1).flatMap((head) => outcomes.map((last) => [...head, last]));
  const average = sequences(7).reduce((sum, sequence) => {
    const probability = sequence.reduce((product, each) => product * each.probability, 1);
    const values = sequence.map(({ value }) => value);
    return sum + probability * after(values, 0.1);
  }, 0);
  expect(average).toBeCloseTo(1, 12);
});

test("no run of bad values takes all, and no run of good ones leaves the range of numbers", () => {
  expect(
    after(
      Array.from({ length: 20 }, () => -1),
      0.5,
    ),
  ).toBeGreaterThan(0);
  expect(after(Array.from({ length: 20_000 }, () => 1))).toBeLessThanOrEqual(Number.MAX_VALUE);
});
