import { expect, it } from "vitest";
import { studentInterval } from "../../src/statistics/index.ts";

// Two-sided 95 % points of t, as printed in tables of the distribution.
it.each([
  [2, 12.706],
  [3, 4.303],
  [5, 2.776],
  [6, 2.571],
  [11, 2.228],
  [31, 2.042],
])("reaches as far as the table says for %i values", (count, t) => {
  const values = Array.from({ length: count }, (_, index) => index);
  const centre = (count - 1) / 2;
  const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (count - 1);
  const { low, high } = studentInterval(values) ?? { low: Number.NaN, high: Number.NaN };
  const error = Math.sqrt(variance / count);
  expect((high - centre) / error).toBeCloseTo(t, 3);
  expect((centre - low) / error).toBeCloseTo(t, 3);
});

it("has no interval of one value, and none wider than nothing of equal ones", () => {
  expect(studentInterval([0.5])).toBeNull();
  expect(studentInterval([0.5, 0.5])).toEqual({ low: 0.5, high: 0.5 });
});
