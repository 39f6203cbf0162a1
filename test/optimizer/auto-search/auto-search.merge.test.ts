import { describe, expect, it } from "vitest";
import { z } from "zod";
import { int, predict, program, signature, study, text } from "espalier";
import { trainset } from "espalier/trainset";
import { rehearsalLm } from "@espalier/rehearsal";
import type { Budget, Optimizer, OptimizerEvent, OptimizerProgress } from "espalier/optimizer";
import {
  autoSearch,
  gepa,
  inTurn,
  miproV2,
  optimize,
  optimizeTexts,
  parameterSearch,
  planOptimization,
  readRun,
} from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { keywordTask } from "../gepa/support/keyword-task.ts";
import { dialStudy } from "../parameter-search/support/dials.ts";
import { placeStudy } from "../support/place-search.ts";
import { questionTypes } from "../support/small-tasks.ts";

const lm = rehearsalLm();

type Decision = Exclude<OptimizerEvent, { readonly kind: "run-start" }>;

/** All decisions of a search of places; the head says which optimizer made them. */
async function decisionsOf(optimizer: Optimizer, budget: Budget): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  await optimize(placeStudy, {
    optimizer,
    budget,
    lm,
    seed: 4,
    onEvent: (event) => {
      if (event.kind !== "progress" && event.kind !== "run-start") decisions.push(event);
    },
  });
  return decisions;
}

describe("autoSearch()", () => {
  it("decides as gepa() does on plain texts", async () => {
    const decided = async (optimizer: Optimizer) => {
      const events: OptimizerEvent[] = [];
      const { candidates } = await optimizeTexts(keywordTask({ seed: 2 }).task, {
        optimizer,
        budget: { metricCalls: 60 },
        reflectionLm: lm,
        onEvent: (event) => {
          if (event.kind === "search-chosen") events.push(event);
        },
      });
      return { candidates, events };
    };
    const [found, reference] = [await decided(autoSearch()), await decided(gepa())];
    expect(found.candidates).toEqual(reference.candidates);
    expect(found.candidates.length).toBeGreaterThan(1);
    expect(found.events).toEqual([
      {
        kind: "search-chosen",
        iteration: 0,
        search: { name: "gepa", version: gepa().version, why: "nothing but texts can change" },
      },
    ]);
  });

  it("decides as miproV2() does where demonstrations may change, too", async () => {
    const budget = { metricCalls: 120 };
    const [chosen, ...rest] = await decisionsOf(autoSearch(), budget);
    expect(chosen).toMatchObject({
      search: {
        name: "mipro-v2",
        version: miproV2().version,
        why: "2 texts and demonstrations of 2 steps can change",
      },
    });
    expect(rest).toEqual(await decisionsOf(miproV2(), budget));
  });

  it("shows labels first where they tell all, then writes texts with what is left", async () => {
    const budget = { metricCalls: 150 };
    const [task, optimizer] = [await questionTypes(), autoSearch()];
    const { searches } = planOptimization(task, { optimizer, budget });
    expect(searches).toMatchObject([
      {
        name: "in-turn",
        why: "labels give demonstrations for 1 step, and 1 text can change after that",
      },
    ]);
    const events: OptimizerEvent[] = [];
    const onEvent = (event: OptimizerEvent | OptimizerProgress): void => {
      if (event.kind !== "progress") events.push(event);
    };
    const { spent } = await optimize(task, { optimizer, budget, lm, onEvent });
    expect(events.find(({ kind }) => kind === "search-chosen")).toMatchObject({
      search: searches?.[0] ?? {},
    });
    expect(spent.metricCalls).toBeLessThanOrEqual(150);
    const first = events.find((event) => event.kind === "candidate-proposed");
    expect(Object.keys(first?.texts ?? {})).toEqual(["demos:classify"]);
  });

  it("leaves to gepa() a budget that is too small to tell apart what matters", async () => {
    const budget = { metricCalls: 119 };
    const [chosen, ...rest] = await decisionsOf(autoSearch(), budget);
    expect(chosen).toMatchObject({
      search: {
        name: "gepa",
        why: "2 texts and demonstrations of 2 steps can change, but 119 rollouts cannot tell which of them matter: that takes 120",
      },
    });
    expect(rest).toEqual(await decisionsOf(gepa(), budget));
    const [above] = await decisionsOf(autoSearch(), { metricCalls: 120 });
    expect(above).toMatchObject({ search: { name: "mipro-v2" } });
  });

  it("searches parameters where nothing else can change", () => {
    const stepless = program({
      name: "dials",
      version: "1",
      input: { question: text("question") },
      output: { level: z.number(), share: z.number(), mode: z.string() },
      predictors: {},
      parameters: { level: int({ default: 1, min: 1, max: 9 }) },
      forward: async (_, { parameters: { level } }) => ({ level, share: 0, mode: "plain" }),
    });
    const plan = planOptimization(
      { ...dialStudy, program: stepless },
      { optimizer: autoSearch(), budget: { metricCalls: 60 } },
    );
    expect(plan.searches).toMatchObject([
      { name: "parameter-search", why: "nothing but parameters can change" },
    ]);
  });

  it("counts no demonstrations where every run on train would be too long to show", async () => {
    const { splits, name, version, licence, source } = placeStudy.trainset;
    const long = study({
      ...(placeStudy as Required<typeof placeStudy>),
      trainset: trainset({
        name,
        version,
        licence,
        source,
        splits: {
          ...splits,
          train: splits.train.map((example) => ({
            ...example,
            input: { ...(example.input as object), history: "word ".repeat(2_000) },
          })),
        },
      }),
    });
    const plan = planOptimization(long, { optimizer: autoSearch(), budget: { metricCalls: 120 } });
    expect(plan.searches).toMatchObject([{ name: "gepa", why: "nothing but texts can change" }]);
  });

  it.each([
    ["mipro-v2", "metric calls", { metricCalls: 130 }],
    ["gepa", "few metric calls", { metricCalls: 30 }],
    ["mipro-v2", "LM calls", { lmCalls: 280 }],
    ["gepa", "few LM calls", { lmCalls: 50 }],
    ["mipro-v2", "tokens", { tokens: 340_000 }],
    ["gepa", "few tokens", { tokens: 34_000 }],
    ["mipro-v2", "time", { wallTimeMs: 3_600_000, metricCalls: 130 }],
  ])("takes %s, as it planned, under a cap on %s", async (name, _, budget) => {
    const optimizer = autoSearch();
    const { searches } = planOptimization(placeStudy, { optimizer, budget });
    const taken: unknown[] = [];
    await optimize(placeStudy, {
      optimizer,
      budget,
      lm,
      onEvent: (event) => {
        if (event.kind === "search-chosen") taken.push(event.search);
      },
    });
    expect(searches).toMatchObject([{ name }]);
    expect(taken).toEqual(searches);
  });

  it.each([
    ["gepa", 239],
    ["mipro-v2", 240],
  ])(
    "takes %s, as it planned, under a cap of %i LM calls where no prompt can be rendered",
    async (name, lmCalls) => {
      const write = signature({
        name: "write-query",
        instruction: "Write a search query for the topic.",
        input: { topic: z.string() },
        output: { query: z.string() },
      });
      const derived = {
        ...placeStudy,
        program: program({
          name: "finder",
          version: "2",
          input: { question: text("question"), history: text("history") },
          output: { found: z.string() },
          predictors: { first: predict(write), second: predict(write) },
          forward: async ({ question }, { predictors }) => {
            const { query: topic } = await predictors.first({ topic: question });
            const { query: found } = await predictors.second({ topic });
            return { found };
          },
        }),
      };
      const run = { optimizer: autoSearch(), budget: { lmCalls } };
      const plan = planOptimization(derived, run);
      expect(plan.costs).toBeUndefined();
      expect(plan.afforded).toMatchObject({ cap: "lmCalls", metricCalls: Math.floor(lmCalls / 2) });
      const taken: unknown[] = [];
      await optimize(derived, {
        ...run,
        lm,
        onEvent: (event) => {
          if (event.kind === "search-chosen") taken.push(event.search);
        },
      });
      expect(plan.searches).toMatchObject([{ name }]);
      expect(taken).toEqual(plan.searches);
    },
  );

  it("counts repetitions of each example", async () => {
    const choice = (metricCalls: number) =>
      planOptimization(placeStudy, {
        optimizer: autoSearch(),
        budget: { metricCalls },
        repetitions: 2,
      }).searches?.[0]?.name;
    expect([choice(239), choice(240)]).toEqual(["gepa", "mipro-v2"]);
  });

  it.each([
    ["gepa", autoSearch(), { metricCalls: 30 }],
    ["mipro-v2", autoSearch(), { metricCalls: 130 }],
    ["mipro-v2", autoSearch(), { tokens: 340_000 }],
  ])(
    "resumed after an error, ends as if there had been none: %s",
    async (name, optimizer, budget) => {
      const search = async (failsAt: number, how: object) => {
        let calls = 0;
        return optimize(placeStudy, {
          optimizer,
          budget,
          concurrency: 1,
          lm: {
            identity: lm.identity,
            doGenerate: async (request, options) => {
              if (++calls === failsAt) throw new Error("The process is gone.");
              return lm.doGenerate(request, options);
            },
          },
          ...how,
        });
      };
      const whole = await search(Infinity, {});
      await using folder = await temporaryFolder();
      for (const failsAt of [3, 60]) {
        await expect(
          search(failsAt, { runFolder: folder.path, resume: failsAt > 3 }),
        ).rejects.toThrow("The process is gone");
      }
      const resumed = await search(Infinity, { runFolder: folder.path, resume: true });
      expect(resumed.candidates).toEqual(whole.candidates);
      expect(resumed.spent).toEqual(whole.spent);
      expect(readRun(folder.path).searches.map((one) => one.name)).toEqual([name]);
    },
  );

  it("exceeds no budget from 14 up", async () => {
    for (let metricCalls = 14; metricCalls <= 140; metricCalls += 18) {
      const { spent } = await optimize(placeStudy, {
        optimizer: autoSearch(),
        budget: { metricCalls },
        lm,
      });
      expect(spent.metricCalls).toBeLessThanOrEqual(metricCalls);
    }
  });

  it("chooses for its own part of a run of several", async () => {
    const searches: unknown[] = [];
    const optimizer = inTurn([
      parameterSearch({ trials: 4, budget: { metricCalls: 40 } }),
      autoSearch({ budget: { metricCalls: 50 } }),
    ]);
    await optimize(dialStudy, {
      optimizer,
      budget: { metricCalls: 120 },
      lm,
      onEvent: (event) => {
        if (event.kind === "search-chosen") searches.push(event.search.name);
      },
    });
    expect(searches).toEqual(["gepa"]);
  });

  it("says what the versions and settings of its searches are", () => {
    const { searches } = autoSearch().settings as { readonly searches: readonly unknown[] };
    const own = [gepa(), miproV2(), parameterSearch({ method: "tpe" })];
    for (const { name, version, settings } of own) {
      expect(searches).toContainEqual({ name, version, settings });
    }
    expect(searches).toContainEqual(expect.objectContaining({ name: "in-turn" }));
  });
});
