import { describe, expect, it } from "vitest";
import type { Budget, GepaOptions, PlannedCosts, PriceTable } from "espalier/optimizer";
import { epochMinibatches, gepa, planOptimization, roundRobin } from "espalier/optimizer";
import { dialStudy } from "../parameter-search/support/dials.ts";
import { placeStudy } from "../support/place-search.ts";
import { runPlaces } from "../support/run-places.ts";

// 14 examples in train and in val, two predictors with one instruction each.
const plan = (budget: Budget, options: GepaOptions = {}, prices?: PriceTable) =>
  planOptimization(placeStudy, { optimizer: gepa(options), budget, ...(prices && { prices }) });

const plain: GepaOptions = {
  minibatch: epochMinibatches(),
  component: roundRobin(),
  gateAbove: 0,
  inheritance: "none",
  secondTries: 0,
};

describe("the plan", () => {
  it("of plain GEPA is exact: minibatch twice, and then val", () => {
    // (60 - 14) / (6 + 14), and (60 - 14 - 20) / 6 + 1; on average (6 + 20) / 2 a proposal.
    expect(plan({ metricCalls: 60 }, plain)).toMatchObject({
      seedEvaluation: 14,
      perProposal: { refused: 6, accepted: 20 },
      proposals: { least: 2, expected: 3, most: 5 },
      fullValidations: 3,
      calls: { student: 120, reflection: 3 },
    });
  });

  it("of the defaults takes no score for known, and the first look at train for spent", () => {
    // (100 - 14 - 12) / (3 + 14), and (100 - 26 - 17) / 1 + 1, for a refusal after one run.
    expect(plan({ metricCalls: 100 })).toMatchObject({
      perProposal: { refused: 1, accepted: 17 },
      proposals: { least: 4, expected: 4, most: 58 },
      warnings: [],
    });
  });

  it("counts the calls of predictors alone, not of parameters", () => {
    // One predictor, and four parameters.
    const optimizer = gepa(plain);
    expect(
      planOptimization(dialStudy, { optimizer, budget: { metricCalls: 60 } }).calls,
    ).toMatchObject({ student: 60 });
  });

  it.each<[string, GepaOptions, Budget]>([
    ["plain GEPA", plain, { metricCalls: 60 }],
    ["plain GEPA, longer", plain, { metricCalls: 130 }],
    ["the defaults", {}, { metricCalls: 60 }],
    ["the defaults, longer", {}, { metricCalls: 130 }],
    ["the defaults with few texts", {}, { metricCalls: 130, reflectionCalls: 9 }],
  ])("keeps its word for %s", async (_, options, budget) => {
    const { result, events } = await runPlaces({ optimizer: gepa(options), budget });
    const ran = new Set(["not-better", "not-better-on-val", "not-selected", "low-coverage"]);
    const tried = events.filter(
      (event) =>
        (event.kind === "candidate-accepted" && event.candidate > 0) ||
        (event.kind === "candidate-refused" && ran.has(event.reason)),
    ).length;
    const { least, most } = result.plan.proposals ?? { least: Infinity, most: 0 };
    expect(tried).toBeLessThanOrEqual(most);
    // Perfect minibatches, and texts that are refused unseen, spend runs on parents alone.
    const others = events.filter(
      (event) =>
        event.kind === "proposal-skipped" ||
        (event.kind === "candidate-refused" && !ran.has(event.reason)),
    ).length;
    const hasEnded = result.reason !== "budget";
    expect(hasEnded || tried + others >= least).toBe(true);
  });

  it("warns when fewer than three proposals are affordable, and says how many calls are", () => {
    expect(plan({ metricCalls: 60 }, plain).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 60 metric calls may allow no more than 2 proposals: the seed's evaluation takes 14, each accepted proposal up to 20. Give 74 or more.",
      ]
    `);
    expect(plan({ metricCalls: 74 }, plain).warnings).toEqual([]);
    expect(plan({ metricCalls: 60 }).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 60 metric calls may allow no more than 2 proposals: the seed's evaluation takes 14, 12 runs on train come first, each accepted proposal up to 17. Give 77 or more.",
      ]
    `);
    expect(plan({ metricCalls: 14 + 12 + 3 * 17 }).warnings).toEqual([]);
    expect(plan({ metricCalls: 500, reflectionCalls: 5 }).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 5 reflection calls may allow no more than 1 proposal: one takes up to 4. Give 12 or more.",
      ]
    `);
  });

  it("takes a cap on LM calls for one on metric calls, and bounds nothing without either", () => {
    expect(plan({ lmCalls: 120 }, plain).proposals).toEqual(
      plan({ metricCalls: 60 }, plain).proposals,
    );
    expect(plan({ wallTimeMs: 1000 })).toMatchObject({ proposals: null, calls: null });
    expect(plan({ wallTimeMs: 1000 }).costs).toBeUndefined();
  });
});

describe("planned costs", () => {
  const prices: PriceTable = {
    student: { promptUsdPerMillion: 1, completionUsdPerMillion: 4 },
    reflection: { promptUsdPerMillion: 10, completionUsdPerMillion: 40 },
  };

  it("are the price table's for the planned tokens", () => {
    const { costs } = plan({ metricCalls: 100 }, {}, prices);
    const { student, reflection, usd } = costs as PlannedCosts;
    const million = 1_000_000;
    expect(usd?.typical).toBeCloseTo(
      (student.promptTokens + 4 * student.completionTokens.typical) / million +
        (10 * reflection.promptTokens + 40 * reflection.completionTokens.typical) / million,
      9,
    );
    expect(usd?.most).toBeGreaterThan(usd?.typical ?? Infinity);
    expect(plan({ metricCalls: 100 }).costs?.usd).toBeNull();
  });

  it("are near what a run then takes", async () => {
    const { result } = await runPlaces({ budget: { metricCalls: 120 } });
    const planned = result.plan.costs?.student.promptTokens ?? Number.NaN;
    const { promptTokens } = result.ledger.byRole.student?.logical ?? { promptTokens: Number.NaN };
    expect(planned / promptTokens).toBeGreaterThan(0.5);
    expect(planned / promptTokens).toBeLessThan(2);
  });

  it("name the steps whose prompts depend on others", () => {
    expect(plan({ metricCalls: 100 }).costs?.notRendered).toEqual([]);
  });
});
