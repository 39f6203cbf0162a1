import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LanguageModel } from "espalier";
import { LmError } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { gepa, optimize, parameterSearch, planOptimization, readRun } from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { placeStudy } from "../support/place-search.ts";
import { dialStudy, perSetting, valuesOf } from "./support/dials.ts";
import { searchDials } from "./support/search-dials.ts";
import { cutAfter } from "../support/cut-after.ts";

const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9];

describe("a search over parameters", () => {
  it("finds what is best on val, with its lineage", async () => {
    const optimizer = parameterSearch({
      method: "grid",
      parameters: ["level", "mode", "share"],
      values: { level: levels, share: [0, 0.25, 0.5, 0.75, 1] },
    });
    const { result } = await searchDials({ optimizer });
    expect(result.reason).toBe("all-tried");
    expect(valuesOf(result.best.components)).toEqual({
      level: 6,
      k0: 60,
      share: 0.25,
      mode: "loud",
    });
    expect(result.program.parameterValues).toEqual(valuesOf(result.best.components));
    expect(result.best.changed).toEqual(["parameter:level", "parameter:share", "parameter:mode"]);
    expect(result.best).toMatchObject({ parents: [0], acceptance: { by: "parameter-search" } });
    // Levels 5, 6 and 7 are wanted equally often: 1, .9 and .9 of the most.
    expect(result.best.selection.value).toBeCloseTo((0.9 + 1 + 0.9) / 3, 12);
  });

  it("draws as many settings as it is told, each once", async () => {
    const { result, tried, calls } = await searchDials({
      optimizer: parameterSearch({ trials: 25, parameters: ["level", "mode"] }),
    });
    // 9 levels and 2 modes are 18 settings, of which one is the program's own.
    expect(tried).toHaveLength(17);
    expect(new Set(tried.map((texts) => JSON.stringify(texts))).size).toBe(17);
    expect(result.reason).toBe("all-tried");
    expect(result.spent.metricCalls).toBe(18 * perSetting);
    expect(calls).toBe(18 * perSetting);
  });

  it("asks for no rollout twice: what the grid repeats of the program itself is passed over", async () => {
    const optimizer = parameterSearch({
      method: "grid",
      parameters: ["level", "mode"],
      values: { level: [1, 5, 5] },
    });
    const { tried, result } = await searchDials({ optimizer });
    expect(tried).toEqual([
      { "parameter:mode": "loud" },
      { "parameter:level": "5" },
      { "parameter:level": "5", "parameter:mode": "loud" },
    ]);
    expect(result.spent.metricCalls).toBe(4 * perSetting);
  });

  it("keeps as candidates what is better than all before; refuses the others with their values", async () => {
    const optimizer = parameterSearch({
      method: "grid",
      parameters: ["level"],
      values: { level: levels },
    });
    const { result, tried } = await searchDials({ optimizer });
    expect(tried.map((texts) => texts["parameter:level"]).join(" ")).toBe("2 3 4 5 6 7 8 9");
    expect(result.candidates.map(({ components }) => valuesOf(components)["level"])).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect(result.rejections).toMatchObject(
      [7, 8, 9].map((level) => ({
        reason: "not-better-on-val",
        parents: [0],
        texts: { "parameter:level": String(level) },
      })),
    );
  });

  it("tells what it does in the documented order", async () => {
    const optimizer = parameterSearch({ method: "grid", parameters: ["mode"] });
    const { events } = await searchDials({ optimizer });
    expect(events.map(({ kind }) => kind).join(" ")).toBe(
      "run-start candidate-evaluated budget-spent candidate-accepted " +
        "iteration-start candidate-proposed candidate-evaluated budget-spent candidate-accepted " +
        "iteration-end run-end",
    );
  });

  it("leaves texts as they are", async () => {
    const { result } = await searchDials();
    for (const { components } of result.candidates) {
      expect(components.find(({ kind }) => kind === "instruction")).toMatchObject({
        value: "Greet.",
      });
    }
  });

  it("gives the same for the same seed at any concurrency, and other settings for another", async () => {
    const [one, again, other] = await Promise.all([
      searchDials({ concurrency: 1 }),
      searchDials({ concurrency: 16 }),
      searchDials({ seed: 1 }),
    ]);
    expect(again.tried).toEqual(one.tried);
    expect(again.result.candidates).toEqual(one.result.candidates);
    expect(other.tried).not.toEqual(one.tried);
  });

  it("refuses a setting of which faults left too little", async () => {
    const inner = rehearsalLm();
    let calls = 0;
    const lm: LanguageModel = {
      identity: inner.identity,
      doGenerate: (request, options) => {
        if (++calls > perSetting) {
          throw new LmError({ code: "lm-server-error", problem: "out of memory" });
        }
        return inner.doGenerate(request, options);
      },
    };
    const optimizer = parameterSearch({ trials: 1 });
    const { result } = await searchDials({ optimizer, lm });
    expect(result.rejections).toMatchObject([{ reason: "low-coverage" }]);
    expect(result.best.id).toBe(0);
  });
});

describe("the budget of a search over parameters", () => {
  it("is never exceeded, and no setting that fits is left out", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: perSetting, max: 60 }), async (metricCalls) => {
        const { result, calls } = await searchDials({ budget: { metricCalls } });
        expect(calls).toBe(result.spent.metricCalls);
        expect(calls).toBeLessThanOrEqual(metricCalls);
        expect(calls).toBe(perSetting * Math.floor(metricCalls / perSetting));
        expect(result.reason).toBe("budget");
        expect(result.plan.proposals).toBe(calls / perSetting - 1);
      }),
      { numRuns: 15 },
    );
  });

  it("in LM calls is kept within a setting, too", async () => {
    const { result, calls } = await searchDials({ budget: { lmCalls: 20 } });
    expect(result.reason).toBe("budget");
    expect(calls).toBeLessThanOrEqual(20);
    expect(result.spent.metricCalls).toBe(3 * perSetting);
  });

  it("may be left out: the search ends by itself", async () => {
    const plan = planOptimization(dialStudy, { optimizer: parameterSearch({ trials: 7 }) });
    expect(plan).toMatchObject({
      seedEvaluation: perSetting,
      proposals: 7,
      calls: { student: 8 * perSetting, reflection: 0 },
      warnings: [],
    });
  });

  it.each<[string, Parameters<typeof parameterSearch>[0], number]>([
    ["drawn from few", { trials: 50, parameters: ["level", "mode"] }, 9 * 2 - 1],
    [
      "of a grid with the program's own",
      { method: "grid", parameters: ["level", "mode"], values: { level: [1, 3, 5, 7, 9] } },
      9,
    ],
    [
      "of a grid that repeats itself, without the program's own",
      { method: "grid", parameters: ["level"], values: { level: [5, 5, 6] } },
      2,
    ],
  ])("is planned for the settings that there are: %s", (_, options, count) => {
    const plan = planOptimization(dialStudy, { optimizer: parameterSearch(options) });
    expect(plan).toMatchObject({ proposals: count, warnings: [] });
  });

  it("in money needs no price of a reflection LM, which is not asked", async () => {
    const prices = { student: { promptUsdPerMillion: 1, completionUsdPerMillion: 1 } };
    const budget = { costUsd: 1 };
    const { result } = await searchDials({
      optimizer: parameterSearch({ trials: 2 }),
      prices,
      budget,
    });
    expect(result.reason).toBe("all-tried");
    expect(result.costUsd).not.toBeNull();
    expect(() => planOptimization(dialStudy, { optimizer: gepa(), budget, prices })).toThrow(
      /prices for `reflection`/,
    );
  });

  it("that is too small for all settings is warned of in the plan", async () => {
    const { warnings } = planOptimization(dialStudy, {
      optimizer: parameterSearch({ trials: 9, parameters: ["level", "mode"] }),
      budget: { metricCalls: 5 * perSetting },
    });
    expect(warnings).toEqual([
      "The budget covers about 4 of 9 settings: each takes about 6 metric calls, and the program's own values take 6.",
    ]);
  });
});

describe("a search over parameters that was cut off", () => {
  it("ends as if it had not been, and asks for nothing twice, wherever it was", async () => {
    const whole = await searchDials();
    for (const after of [1, perSetting + 2, 4 * perSetting, 9 * perSetting + 1]) {
      await using folder = await temporaryFolder();
      const { lm, signal } = cutAfter(after, rehearsalLm());
      const runFolder = folder.path;
      const cut = await thrownBy(() => searchDials({ lm, signal, runFolder, concurrency: 1 }));
      expect(cut).toMatchObject({ code: "aborted" });
      const resumed = await searchDials({ runFolder, resume: true });
      expect(resumed.result.candidates).toEqual(whole.result.candidates);
      expect(resumed.result.rejections).toEqual(whole.result.rejections);
      expect(resumed.result.best).toEqual(whole.result.best);
      expect(resumed.result.spent).toEqual(whole.result.spent);
      // The call in flight may be lost; the others are in the folder.
      expect(resumed.calls).toBeLessThanOrEqual(whole.calls - after + 1);
      expect(readRun(runFolder)).toMatchObject({
        end: { reason: "all-tried" },
        candidates: whole.result.candidates,
        rejections: whole.result.rejections,
      });
    }
  });

  it("is refused for another range, since other settings would be drawn", async () => {
    await using folder = await temporaryFolder();
    const runFolder = folder.path;
    await searchDials({ runFolder });
    const { program } = dialStudy;
    const level = { ...program.parameters["level"], max: 20 } as never;
    const wider = { ...program, parameters: { ...program.parameters, level } };
    const error = await thrownBy(() =>
      optimize(
        { ...dialStudy, program: wider },
        { optimizer: parameterSearch({ trials: 10 }), lm: rehearsalLm(), runFolder, resume: true },
      ),
    );
    expect(error).toMatchObject({ code: "journal-mismatch" });
  });
});

describe("parameterSearch() refuses", () => {
  it.each<[string, Parameters<typeof parameterSearch>[0], string]>([
    ["a method that is none", { method: "bayes" as "grid" }, "method"],
    ["no trial", { trials: 0 }, "trials"],
    ["half a trial", { trials: 1.5 }, "trials"],
    ["trials of a grid", { method: "grid", trials: 3 } as object, "trials"],
    ["values where settings are drawn", { values: {} } as object, "values"],
  ])("%s", async (_, options, name) => {
    const error = await thrownBy(() => parameterSearch(options));
    expect(error).toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining(`\`${name}\``) as string,
    });
  });

  it.each<[string, Parameters<typeof parameterSearch>[0], string]>([
    ["a parameter that is none", { parameters: ["volume"] }, "component-unknown"],
    ["no parameter", { parameters: [] }, "component-unknown"],
    ["values of what is none", { method: "grid", values: { volume: [1] } }, "option-invalid"],
    ["a number without values", { method: "grid", parameters: ["level"] }, "option-invalid"],
    ["no value", { method: "grid", values: { level: [] } }, "option-invalid"],
    ["a value out of range", { method: "grid", values: { level: [10] } }, "option-invalid"],
    ["a wrong word", { method: "grid", values: { mode: ["shrill"] } }, "option-invalid"],
  ])("%s, before anything is spent", async (_, options, code) => {
    const optimizer = parameterSearch(options);
    expect(await thrownBy(() => planOptimization(dialStudy, { optimizer }))).toMatchObject({
      code,
    });
  });

  it("a program without parameters", async () => {
    const optimizer = parameterSearch();
    const error = await thrownBy(() => planOptimization(placeStudy, { optimizer }));
    expect(error).toMatchObject({
      code: "component-unknown",
      message: expect.stringContaining("`gepa()`") as string,
    });
  });
});
