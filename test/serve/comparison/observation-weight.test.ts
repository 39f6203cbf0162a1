import { expect, test } from "vitest";
import { observationWeight } from "../../../src/serve/canary/canaries.ts";

test.each([
  [0.1, 0],
  [0.5, 0],
  [0.9, 0],
  [0.1, 0.2],
  [0.3, 0.9],
  [0, 0.5],
  [0.5, 1],
])(
  "with a canary of %d and a shadow of %d, equal answers of both versions cancel out on average",
  (canary, shadow) => {
    const shares = { canary, shadow };
    const candidate = canary * observationWeight(shares, "candidate");
    const baseline = (1 - canary) * (1 - shadow) * observationWeight(shares, "baseline");
    expect(candidate).toBeCloseTo(baseline, 12);
    for (const by of ["baseline", "candidate", "both", "baseline-unpaired"] as const) {
      expect(observationWeight(shares, by)).toBeGreaterThanOrEqual(0);
      expect(observationWeight(shares, by)).toBeLessThanOrEqual(1);
    }
    expect(observationWeight(shares, "both")).toBe(1);
    expect(observationWeight(shares, "baseline-unpaired")).toBe(0);
  },
);
