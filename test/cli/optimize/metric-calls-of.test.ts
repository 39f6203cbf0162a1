import { describe, expect, it } from "vitest";
import { metricCallsOf } from "../../../src/cli/optimize/budget-options.ts";

describe("what --budget says", () => {
  it("is a number of metric calls, or a size that follows from val's", () => {
    expect(["120", "small", "medium", "large"].map((given) => metricCallsOf(given, 40))).toEqual([
      120, 200, 600, 1600,
    ]);
  });

  it.each(["0", "1.5", "-3", "1e3", "tiny", ""])("is not %j", (given) => {
    expect(() => metricCallsOf(given, 40)).toThrow(
      "a whole number of at least 1, or one of small, medium, large",
    );
  });
});
