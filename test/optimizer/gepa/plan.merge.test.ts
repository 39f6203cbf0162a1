import { describe, expect, it } from "vitest";
import type { Budget, PlannedCosts, PriceTable } from "espalier/optimizer";
import { planOptimization, roundRobin } from "espalier/optimizer";
import { anyOnVal, epochMinibatches } from "../../conformance/reference/index.ts";
import { dialStudy } from "../parameter-search/support/dials.ts";
import { placeStudy } from "../support/place-search.ts";
import { runPlaces } from "../support/run-places.ts";
import { broken, plain } from "./support/plan-kept.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

// 14 examples in train and in val, two predictors with one instruction each.
const plan = (budget: Budget, options: FlatGepaOptions = {}, prices?: PriceTable) =>
  planOptimization(placeStudy, { optimizer: gepaWith(options), budget, ...(prices && { prices }) });

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

  it("of the defaults is least where nothing is reused and train is looked at first, most where all is", () => {
    // Val and a minibatch of 3 of parent and child; 14 runs on train before the first:
    // (100 - 14 - 14 - 20) / 20 + 1. One run before the first and one for each: 100 - 14 - 1.
    expect(plan({ metricCalls: 100, reflectionCalls: 100 })).toMatchObject({
      perProposal: { refused: 1, accepted: 20 },
      proposals: { least: 3, expected: 5, most: 85 },
      fullValidations: 86,
      warnings: [],
    });
  });

  it("has a quarter of the metric calls for texts, where nobody says otherwise", () => {
    expect(plan({ metricCalls: 100 })).toMatchObject({
      proposals: { least: 3, expected: 5, most: 25 },
      fullValidations: 26,
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

  it.each<[string, FlatGepaOptions, Budget]>([
    ["plain GEPA", plain, {}],
    ["the defaults", {}, {}],
    ["the defaults with few texts", {}, { reflectionCalls: 9 }],
  ])("keeps its word on places for %s, whatever the budget", async (_, options, caps) => {
    for (const metricCalls of [16, 31, 35, 40, 60, 120, 160, 200]) {
      const budget = { ...caps, metricCalls };
      const { result, events } = await runPlaces({ optimizer: gepaWith(options), budget });
      expect({ budget, broken: broken(result.plan, result.reason, events) }).toEqual({
        budget,
        broken: [],
      });
    }
  });

  it.each<[string, FlatGepaOptions]>([
    [
      "a minibatch of its own, larger than usual",
      {
        ...plain,
        minibatch: {
          name: "the first seven",
          next: ({ train }) => ({ kind: "run", exampleIds: train.slice(0, 7) }),
          costs: () => ({ examples: 7 }),
        },
      },
    ],
    [
      "an acceptance of its own that asks train, and says nothing of it",
      {
        ...plain,
        gateAbove: null,
        valAcceptance: {
          name: "asks train",
          judge: async (_, addressed) =>
            (await addressed()) === null
              ? { accepts: false, reason: "No room." }
              : { accepts: true },
        },
      },
    ],
    [
      "proposals of its own, of unknown number",
      {
        ...plain,
        proposals: {
          name: "three",
          sample: (view, parent, minibatch) =>
            [0, 1, 2].map((index) => {
              const id = parent.select(view, index);
              const record = view.candidates[id] ?? view.best;
              return { parent: id, minibatch: minibatch.next(view, record, index) };
            }),
        },
      },
    ],
  ])("keeps its word with %s", async (_, options) => {
    for (const metricCalls of [31, 40, 60, 120, 200]) {
      const budget = { metricCalls };
      const { result, events } = await runPlaces({ optimizer: gepaWith(options), budget });
      expect({ budget, broken: broken(result.plan, result.reason, events) }).toEqual({
        budget,
        broken: [],
      });
    }
  });

  it("asks a strategy what it costs, and takes the most that its kind can where it does not say", () => {
    const planned = (options: FlatGepaOptions) =>
      plan({ metricCalls: 200 }, { ...plain, ...options });
    const minibatch = { ...epochMinibatches(), name: "own", costs: () => ({ examples: 7 }) };
    expect(planned({ minibatch }).perProposal).toEqual({ refused: 14, accepted: 28 });
    const component = roundRobin();
    const { costs: _costs, ...silent } = component;
    expect(planned({ component }).calls?.reflection).toBe(planned({}).proposals?.expected);
    expect(planned({ component: { ...silent, name: "own" } }).calls?.reflection).toBe(
      2 * (planned({ component: { ...silent, name: "own" } }).proposals?.expected ?? 0),
    );
    const { costs: _asked, ...silentOnVal } = anyOnVal();
    // Parent and child, once more, on the example that the child is about.
    expect(planned({ valAcceptance: { ...silentOnVal, name: "own" } }).perProposal.accepted).toBe(
      planned({}).perProposal.accepted + 2,
    );
  });

  it("warns when fewer than three proposals are affordable, and says how many calls are", () => {
    expect(plan({ metricCalls: 60 }, plain).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 60 metric calls may allow only 2 proposals: evaluating the seed takes 14, and each accepted proposal up to 20. Use at least 74.",
      ]
    `);
    expect(plan({ metricCalls: 74 }, plain).warnings).toEqual([]);
    expect(plan({ metricCalls: 60 }).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 60 metric calls may allow only 1 proposal: evaluating the seed takes 14, the first runs on train up to 9, and each accepted proposal up to 20. Use at least 88.",
      ]
    `);
    expect(plan({ metricCalls: 88 }).warnings).toEqual([]);
    expect(plan({ metricCalls: 500, reflectionCalls: 5 }).warnings).toMatchInlineSnapshot(`
      [
        "A budget of 5 reflection calls may allow only 1 proposal: each takes up to 4. Use at least 12.",
      ]
    `);
  });

  it("names a budget that gives no such warning, and no smaller one does not", () => {
    for (const options of [{}, plain, { scoreReuse: "none" }] satisfies FlatGepaOptions[]) {
      const [warning = ""] = plan({ metricCalls: 20 }, options).warnings;
      const enough = Number(/Use at least (\d+)/.exec(warning)?.[1]);
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
    expect(proposals).toEqual({ least: 0, expected: 0, most: 0 });
    expect(afforded?.reserved).toBeGreaterThan(longest);
    expect(warnings.join("\n")).toContain("0.34 of it is reserved for one reply of the full");
    // A shorter reply leaves room, also in the run.
    const short = gepaWith({ sampling: { maxCompletionTokens: 1024 } });
    const again = await runPlaces({ optimizer: short, budget, prices });
    expect(again.result.plan.proposals?.least).toBeGreaterThan(0);
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
