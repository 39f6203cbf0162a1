import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LanguageModel } from "espalier";
import { LmError } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import type { OptimizeOptions, OptimizerEvent } from "espalier/optimizer";
import { optimize, parameterSearch, planOptimization, readRun } from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { branchQuality, branchStudy } from "./support/branches.ts";
import { valuesOf, wideDialStudy } from "./support/dials.ts";
import { searchDials } from "./support/search-dials.ts";
import { cutAfter } from "../support/cut-after.ts";

const val = 40;
const size = 8;

async function searchBranches(options: Partial<OptimizeOptions> = {}) {
  const events: OptimizerEvent[] = [];
  const result = await optimize(branchStudy, {
    optimizer: parameterSearch({ method: "tpe" }),
    lm: rehearsalLm(),
    ...options,
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
      return options.onEvent?.(event);
    },
  });
  const tried = events.flatMap((event) =>
    event.kind === "candidate-proposed" ? [event.texts] : [],
  );
  return { result, events, tried, quality: branchQuality(valuesOf(result.best.components)) };
}

describe("TPE", () => {
  it("finds better settings than random draws on the same calls", async () => {
    const metricCalls = 600;
    for (const seed of [0, 1, 2, 3]) {
      const budget = { metricCalls };
      const ofMethod = async (method: "tpe" | "random") =>
        searchBranches({ optimizer: parameterSearch({ method }), seed, budget });
      const [tpe, random] = [await ofMethod("tpe"), await ofMethod("random")];
      expect(tpe.result.spent.metricCalls).toBeLessThanOrEqual(metricCalls);
      expect(tpe.quality).toBeGreaterThan(random.quality);
      expect(tpe.quality).toBeGreaterThan(0.85);
    }
  });

  it("draws nine settings as random search does, and then from what it saw", async () => {
    const of = (method: "tpe" | "random") =>
      searchBranches({ optimizer: parameterSearch({ method, trials: 12 }) });
    const [tpe, random] = await Promise.all([of("tpe"), of("random")]);
    expect(tpe.tried.slice(0, 9)).toEqual(random.tried.slice(0, 9));
    expect(tpe.tried.slice(9)).not.toEqual(random.tried.slice(9));
  });

  it("tries no setting twice, however few there are", async () => {
    const { tried, result } = await searchDials({
      optimizer: parameterSearch({ method: "tpe", parameters: ["level", "mode"], trials: 40 }),
    });
    expect(tried).toHaveLength(17);
    expect(new Set(tried.map((texts) => JSON.stringify(texts))).size).toBe(17);
    expect(result.reason).toBe("all-tried");
    expect(valuesOf(result.best.components)).toMatchObject({ level: 6, mode: "loud" });
  });

  it("leaves a parameter that does not matter as the program has it", async () => {
    const { tried } = await searchBranches();
    const matters = { b: "lexical", probes: "dense", weight: "both" } as const;
    for (const [name, search] of Object.entries(matters)) {
      const changed = tried.filter((texts) => Object.hasOwn(texts, `parameter:${name}`));
      expect(changed.length).toBeGreaterThan(0);
      // The program's own search is not among what a setting changes.
      for (const texts of changed) expect(texts["parameter:search"] ?? "lexical").toBe(search);
    }
  });

  it("gives the same for the same seed at any concurrency", async () => {
    const [one, many] = await Promise.all([
      searchBranches({ concurrency: 1 }),
      searchBranches({ concurrency: 16 }),
    ]);
    expect(many.result.candidates).toEqual(one.result.candidates);
    expect(many.result.rejections).toEqual(one.result.rejections);
  });
});

describe("a setting that TPE tries", () => {
  it("runs on val by minibatches while it is not behind the best on the same examples", async () => {
    const { result, events } = await searchBranches();
    const { candidates, rejections } = result;
    expect(candidates.length).toBeGreaterThan(2);
    for (const { selection } of candidates) {
      expect(Object.keys(selection.scores)).toHaveLength(val);
    }
    const seen = new Map<number, number>();
    for (const event of events) {
      if (event.kind !== "candidate-evaluated" || event.iteration === 0) continue;
      const count = Object.keys(event.scores).length;
      expect(count).toBe(size);
      seen.set(event.iteration, (seen.get(event.iteration) ?? 0) + count);
    }
    // Scores here are a setting's worth plus the example's: the first minibatch tells.
    for (const { iteration, reason, detail } of rejections) {
      expect(seen.get(iteration)).toBe(size);
      expect(reason).toBe("not-better-on-val");
      expect(detail).toMatch(/^0\.\d{4} on 8 of 40 examples of val, where the best before has 0\./);
    }
    expect(result.spent.metricCalls).toBe(val * candidates.length + size * rejections.length);
  });

  it("runs on all of val at once where the objective is not a mean of scores", async () => {
    const { objective } = branchStudy;
    const worst = {
      ...objective,
      aggregate: (rows: readonly { readonly value: number }[]) =>
        Math.min(...rows.map(({ value }) => value)),
    };
    const { candidates, rejections, spent } = await optimize(
      { ...branchStudy, objective: worst },
      { optimizer: parameterSearch({ method: "tpe", trials: 15 }), lm: rehearsalLm() },
    );
    expect(candidates.length + rejections.length).toBe(16);
    expect(spent.metricCalls).toBe(16 * val);
  });

  it("is not judged by faults: they are no score, and too many of them refuse it", async () => {
    const inner = rehearsalLm();
    const lm: LanguageModel = {
      identity: inner.identity,
      doGenerate: (request, options) => {
        if (JSON.stringify(request).includes("loud")) {
          throw new LmError({ code: "lm-server-error", problem: "out of memory" });
        }
        return inner.doGenerate(request, options);
      },
    };
    const optimizer = parameterSearch({ method: "tpe", trials: 25 });
    const { result, tried } = await searchDials({ optimizer, lm }, wideDialStudy);
    const loud = tried.filter((texts) => texts["parameter:mode"] === "loud");
    expect(loud.length).toBeGreaterThan(3);
    const faulty = result.rejections.filter(({ reason }) => reason === "low-coverage");
    expect(faulty).toHaveLength(loud.length);
    expect(valuesOf(result.best.components)).toMatchObject({ mode: "plain" });
  });
});

describe("the budget of TPE", () => {
  it("is never exceeded, and a setting begins only where all of val would fit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: val, max: 400 }), async (metricCalls) => {
        const { result } = await searchBranches({ budget: { metricCalls } });
        const { spent, reason } = result;
        expect(reason).toBe("budget");
        expect(spent.metricCalls).toBeLessThanOrEqual(metricCalls);
        expect(spent.metricCalls).toBeGreaterThan(metricCalls - val);
      }),
      { numRuns: 15 },
    );
  });

  it("is planned as if half of the settings reached all of val", () => {
    const optimizer = parameterSearch({ method: "tpe" });
    // 240 calls are left for settings, which begin while 40 are left: 9 on 24 on average.
    expect(planOptimization(branchStudy, { optimizer, budget: { metricCalls: 280 } })).toEqual({
      seedEvaluation: val,
      proposals: 9,
      calls: { student: val + 9 * 24, reflection: 0 },
      examplesPerText: 0,
      costs: expect.anything() as unknown,
      perRollout: expect.anything() as unknown,
      warnings: [
        "The budget covers about 9 of 50 settings: each takes about 24 metric calls, and the program's own values take 40.",
      ],
    });
    const { proposals, warnings } = planOptimization(branchStudy, { optimizer });
    expect([proposals, warnings]).toEqual([50, []]);
  });
});

describe("TPE that was cut off", () => {
  it("ends as if it had not been, and asks for nothing twice, wherever it was", async () => {
    const optimizer = parameterSearch({ method: "tpe", trials: 15 });
    const whole = await searchDials({ optimizer }, wideDialStudy);
    for (const after of [1, 13, 30, whole.calls - 1]) {
      await using folder = await temporaryFolder();
      const { lm, signal } = cutAfter(after, rehearsalLm());
      const runFolder = folder.path;
      const cut = await thrownBy(() =>
        searchDials({ optimizer, lm, signal, runFolder, concurrency: 1 }, wideDialStudy),
      );
      expect(cut).toMatchObject({ code: "aborted" });
      const resumed = await searchDials({ optimizer, runFolder, resume: true }, wideDialStudy);
      expect(resumed.result.candidates).toEqual(whole.result.candidates);
      expect(resumed.result.rejections).toEqual(whole.result.rejections);
      expect(resumed.result.spent).toEqual(whole.result.spent);
      expect(resumed.calls).toBeLessThanOrEqual(whole.calls - after + 1);
      expect(readRun(runFolder)).toMatchObject({
        end: { reason: "all-tried" },
        rejections: whole.result.rejections,
      });
    }
  });
});

describe("parameterSearch() with TPE refuses", () => {
  it.each<[string, object, string]>([
    ["values", { values: {} }, "values"],
    ["no trial", { trials: 0 }, "trials"],
  ])("%s", async (_, options, name) => {
    const error = await thrownBy(() => parameterSearch({ method: "tpe", ...options }));
    expect(error).toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining(`\`${name}\``) as string,
    });
  });

  it("a parameter that cannot matter, since what it hangs on is not searched", async () => {
    const optimizer = parameterSearch({ method: "tpe", parameters: ["k", "probes"] });
    expect(await thrownBy(() => planOptimization(branchStudy, { optimizer }))).toMatchObject({
      code: "option-invalid",
      message: expect.stringMatching(/`search` and `probes`.*search left at lexical/s) as string,
    });
  });
});
