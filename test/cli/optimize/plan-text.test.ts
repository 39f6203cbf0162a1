import { describe, expect, it } from "vitest";
import { parameterSearch, planOptimization } from "espalier/optimizer";
import { planText } from "../../../src/cli/optimize/plan-text.ts";
import { dialStudy, perSetting } from "../../optimizer/parameter-search/support/dials.ts";

describe("the plan of a search whose steps all take the same", () => {
  it("is told in single figures, without a word on what may be accepted", () => {
    const budget = { metricCalls: 5 * perSetting };
    const plan = planOptimization(dialStudy, { optimizer: parameterSearch(), budget });
    const lines = planText(plan, { budget, testSize: 3, repeats: 1, repeated: 0 }).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "plan: 6 metric calls for the seed program, then 6 for each proposal",
      "proposals: 4",
      "full evaluations on val: at most 5, including the seed program's",
    ]);
  });
});

describe("the plan under a cap that is not in metric calls", () => {
  it("says about how many, also where that cap is not the tightest", () => {
    const optimizer = parameterSearch();
    for (const budget of [
      { metricCalls: 5 * perSetting, lmCalls: 10_000 },
      { metricCalls: 10_000, tokens: 20_000 },
    ]) {
      const plan = planOptimization(dialStudy, { optimizer, budget });
      const text = planText(plan, { budget, testSize: 3, repeats: 1, repeated: 0 });
      expect(text).toMatch(/^proposals: about \d+$/m);
      expect(text).toMatch(
        /^full evaluations on val: about at most \d+, including the seed program's$/m,
      );
    }
  });
});
