import { describe, expect, it } from "vitest";
import { cholesky, solveLower, solveUpper } from "../../src/statistics/index.ts";

describe("the Cholesky factor", () => {
  it("solves a system with a known solution", () => {
    // 4 x + 2 y = 10 and 2 x + 3 y = 11 for x = 1, y = 3.
    const factor = cholesky([Float64Array.of(4), Float64Array.of(2, 3)]);
    const [x, y] = solveUpper(factor, solveLower(factor, [10, 11]));
    expect(x).toBeCloseTo(1, 12);
    expect(y).toBeCloseTo(3, 12);
  });

  it("refuses a matrix that is not positive definite", () => {
    expect(() => cholesky([Float64Array.of(1), Float64Array.of(2, 1)])).toThrow(
      "not positive definite in row 1",
    );
  });
});
