import { expect, it } from "vitest";
import { gepa, planOptimization } from "espalier/optimizer";
import { planText } from "../../../src/cli/optimize/plan-text.ts";
import { dialStudy } from "../../optimizer/parameter-search/support/dials.ts";

it("gives no number of candidates where only time bounds them", () => {
  const budget = { wallTimeMs: 60_000 };
  const plan = planOptimization(dialStudy, { optimizer: gepa(), budget });
  const [first] = planText(plan, { budget, testSize: 3, repeats: 1, repeated: 0 }).split("\n");
  expect(first).toMatch(
    /^plan: \d+ metric calls for the seed program, then as many candidates as the caps allow$/,
  );
});
