import { describe, expect, it } from "vitest";
import type { Budget, PlannedCosts, PriceTable } from "espalier/optimizer";
import { planOptimization, reflectiveProposer, roundRobin } from "espalier/optimizer";
import { anyOnVal, epochMinibatches } from "../../conformance/reference/index.ts";
import { dialStudy } from "../parameter-search/support/dials.ts";
import { placeStudy } from "../support/place-search.ts";
import { runPlaces } from "../support/run-places.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

/** GEPA without reuse, gates and joint components. */
const plain: FlatGepaOptions = {
  minibatch: epochMinibatches(),
  component: roundRobin(),
  gateAbove: 0,
  scoreReuse: "none",
  secondTries: 0,
  valAcceptance: anyOnVal(),
};

// 14 examples in train and in val, two predictors with one instruction each.
const plan = (budget: Budget, options: FlatGepaOptions = {}, prices?: PriceTable) =>
  planOptimization(placeStudy, { optimizer: gepaWith(options), budget, ...(prices && { prices }) });

describe("the plan", () => {
  it("of plain GEPA: a minibatch twice for each proposal, and val for half of them", () => {
    // (60 - 14) / (6 + 14 / 2)
    expect(plan({ metricCalls: 60 }, plain)).toMatchObject({
      seedEvaluation: 14,
      proposals: 3,
      calls: { student: 120, reflection: 3 },
    });
  });

  it("of the defaults: the same, after runs on train before the first", () => {
    // (100 - 14 - 12) / (6 + 14 / 2), with texts for both predictors.
    expect(plan({ metricCalls: 100, reflectionCalls: 100 })).toMatchObject({
      proposals: 5,
      calls: { student: 200, reflection: 10 },
      warnings: [],
    });
  });

  it("is near what plain GEPA then tries", async () => {
    for (const metricCalls of [60, 120, 200]) {
      const optimizer = gepaWith(plain);
      const { result, events } = await runPlaces({ optimizer, budget: { metricCalls } });
      const tried = events.filter(({ kind }) => kind === "candidate-proposed").length;
      const planned = result.plan.proposals ?? 0;
      expect(tried).toBeGreaterThanOrEqual(planned / 2);
      expect(tried).toBeLessThanOrEqual(2 * planned);
    }
  });

  it("has a quarter of the metric calls for texts, where nobody says otherwise", () => {
    expect(plan({ metricCalls: 100 })).toMatchObject({
      maxReflections: 25,
    });
    expect(plan({ metricCalls: 100, reflectionCalls: 7 }).maxReflections).toBe(7);
  });

  it("counts the calls of predictors alone, not of parameters", () => {
    // One predictor, and four parameters.
    const optimizer = gepaWith(plain);
    expect(
      planOptimization(dialStudy, { optimizer, budget: { metricCalls: 60 } }).calls,
    ).toMatchObject({ student: 60 });
  });

  it("asks strategies how many texts a proposal changes, and what looking for lessons takes", () => {
    const planned = (options: FlatGepaOptions) =>
      plan({ metricCalls: 200 }, { ...plain, ...options });
    expect(planned({ component: roundRobin() }).calls?.reflection).toBe(planned({}).proposals);
    const { maxTexts: _, ...silent } = roundRobin();
    const component = { ...silent, name: "own" };
    expect(planned({ component }).calls?.reflection).toBe(2 * (planned({}).proposals ?? 0));
    const minibatch = { ...epochMinibatches(), name: "own", exploration: () => 13 };
    expect(planned({ minibatch }).proposals).toBe((planned({}).proposals ?? 0) - 1);
  });

  it("warns when fewer than three proposals are affordable, and says how many calls are", () => {
    expect(plan({ metricCalls: 60 }, plain).warnings).toMatchInlineSnapshot(`[]`);
    expect(plan({ metricCalls: 74 }, plain).warnings).toEqual([]);
    expect(plan({ metricCalls: 60 }).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 60 metric calls allows about 2 proposals: evaluating the seed takes 14, the first runs on train take 9, and each proposal takes about 13. For 3 proposals, use at least 62.",
      ]
    `);
    expect(plan({ metricCalls: 88 }).warnings).toEqual([]);
    expect(plan({ metricCalls: 500, reflectionCalls: 5 }).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 5 reflection calls allows about 2 proposals: each takes 2. For 3 proposals, use at least 6.",
      ]
    `);
  });

  it("names a budget that gives no such warning, and no smaller one does not", () => {
    for (const options of [{}, plain, { scoreReuse: "none" }] satisfies FlatGepaOptions[]) {
      const [warning = ""] = plan({ metricCalls: 20 }, options).warnings;
      const enough = Number(/use at least (\d+)/.exec(warning)?.[1]);
      expect(plan({ metricCalls: enough }, options).warnings).toEqual([]);
      expect(plan({ metricCalls: enough - 1 }, options).warnings).toHaveLength(1);
    }
  });

  it("takes a cap on LM calls for about so many metric calls, and bounds nothing without either", () => {
    // Two calls a rollout, and some for texts.
    const { afforded, proposals } = plan({ lmCalls: 120 }, plain);
    expect(afforded).toEqual({ cap: "lmCalls", limit: 120, reserved: 0, metricCalls: 58 });
    expect(proposals).toEqual(plan({ metricCalls: 58 }, plain).proposals);
    expect(plan({ lmCalls: 120, metricCalls: 50 }, plain).afforded).toBeUndefined();
    expect(plan({ wallTimeMs: 1000 })).toMatchObject({ proposals: null, calls: null });
    expect(plan({ wallTimeMs: 1000 }).costs).toBeUndefined();
  });

  it("keeps room under a cap on money for the longest reply, without which no text is asked for", async () => {
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
    const prices = { student: price, reflection: { ...price, completionUsdPerMillion: 40 } };
    const budget = { costUsd: 0.35 };
    const { result } = await runPlaces({ budget, prices });
    expect(result.spent.reflectionCalls).toBe(0);
    const longest = 8192 * 40e-6;
    const { proposals, afforded, warnings } = result.plan;
    expect(proposals).toBe(0);
    expect(afforded?.reserved).toBeGreaterThan(longest);
    expect(warnings.join("\n")).toContain("0.34 of it is reserved for one reply of the full");
    // A shorter reply leaves room, also in the run.
    const short = gepaWith({
      proposer: reflectiveProposer({ sampling: { maxCompletionTokens: 1024 } }),
    });
    const again = await runPlaces({ optimizer: short, budget, prices });
    expect(again.result.plan.proposals).toBeGreaterThan(0);
    expect(again.result.spent.reflectionCalls).toBeGreaterThan(0);
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
