import { wilsonInterval } from "espalier/serve";
import { expect, test } from "vitest";

// R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
// Medicine 17 (1998), table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("%i of %i lie where Newcombe's table says", (successes, total, low, high) => {
  const interval = wilsonInterval(successes, total);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
  expect(interval?.ratio).toBe(successes / total);
});

test("all of so many mirrors none of them, and none of none is nothing", () => {
  const none = wilsonInterval(0, 20);
  expect(wilsonInterval(20, 20)?.low).toBeCloseTo(1 - (none?.high ?? 0), 12);
  expect(wilsonInterval(20, 20)?.high).toBe(1);
  expect(wilsonInterval(0, 0)).toBeNull();
});
