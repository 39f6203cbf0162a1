import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { Candidate, LanguageModel } from "espalier";
import { LmError, textOfContent } from "espalier";
import type {
  MiproV2Options,
  OptimizationResult,
  OptimizeOptions,
  Optimizer,
  OptimizerEvent,
} from "espalier/optimizer";
import { miproV2, optimize, planOptimization, readRun } from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { kindsStudy } from "../few-shot/support/kinds.ts";
import { writingKindsLm as lm } from "../few-shot/support/writing-kinds-lm.ts";
import { cutAfter } from "../support/cut-after.ts";

const budget = { metricCalls: 200, reflectionCalls: 30 };

interface Run {
  readonly result: OptimizationResult;
  readonly events: readonly OptimizerEvent[];
  readonly calls: number;
  /** Fields that the LM was asked for. */
  readonly asked: readonly string[];
}

async function search(options: Partial<OptimizeOptions> = {}, study = kindsStudy): Promise<Run> {
  const inner = options.lm ?? lm;
  const events: OptimizerEvent[] = [];
  const asked: string[] = [];
  const result = await optimize(study, {
    optimizer: miproV2(),
    budget,
    ...options,
    lm: {
      identity: inner.identity,
      doGenerate: (request, callOptions) => {
        asked.push(...Object.keys(request.responseSchema?.schema["properties"] ?? {}));
        return inner.doGenerate(request, callOptions);
      },
    },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  return { result, events, asked, calls: asked.length };
}

function demosIn(components: Candidate): readonly string[] {
  return components.flatMap((held) =>
    held.kind === "demos" ? held.value.map(({ exampleId }) => exampleId) : [],
  );
}

describe("a search as MIPROv2 makes it", () => {
  it("finds demonstrations that help, beside instructions of the reflection LM", async () => {
    const { result } = await search();
    expect(result.best.selection.value).toBeGreaterThan(0.7);
    expect(demosIn(result.components).length).toBeGreaterThan(0);
    const tried = new Set(result.candidates.flatMap(({ changed }) => changed));
    expect([...tried].some((id) => id.startsWith("instruction:"))).toBe(true);
  });

  it("writes no instruction for the place of the program's own, and tries that, too", async () => {
    const small = { metricCalls: 100, reflectionCalls: 12 };
    const { result, asked, events } = await search({ budget: small });
    const written = asked.filter((field) => field === "newInstruction").length;
    expect(written).toBeGreaterThan(2);
    // What was written is tried, and so is a set of demonstrations with the program's own texts.
    const proposed = events.flatMap((event) =>
      event.kind === "candidate-proposed" ? [event.texts] : [],
    );
    const texts = new Set(proposed.flatMap((one) => one["instruction:answer"] ?? []));
    expect(texts.size).toBeGreaterThan(0);
    expect(2 * texts.size).toBeLessThanOrEqual(written);
    expect(proposed.some((one) => !("instruction:answer" in one))).toBe(true);
    const plan = planOptimization(kindsStudy, { optimizer: miproV2(), budget: small });
    expect(plan.calls?.reflection).toBe(result.spent.reflectionCalls);
  });

  it.each<[string, MiproV2Options]>([
    ["by kind", { components: ["instruction"] }],
    ["by a single component", { components: ["instruction:answer"] }],
  ])(
    "shows no demonstration where none is wanted, %s, but learns from runs",
    async (_, options) => {
      const prompts: string[] = [];
      const { result, events } = await search({
        optimizer: miproV2(options),
        lm: {
          ...lm,
          doGenerate: (request, options) => {
            prompts.push(request.messages.map(({ content }) => textOfContent(content)).join("\n"));
            return lm.doGenerate(request, options);
          },
        },
      });
      expect(result.candidates.flatMap(({ components }) => demosIn(components))).toEqual([]);
      const changed = events.flatMap((event) =>
        event.kind === "candidate-proposed" ? Object.keys(event.texts) : [],
      );
      const allowed = options.components?.[0] ?? "instruction";
      expect(changed.filter((id) => !id.startsWith(allowed))).toEqual([]);
      const writing = prompts.filter((prompt) => prompt.includes("You improve the instruction"));
      expect(writing.some((prompt) => prompt.includes("number 5?"))).toBe(true);
    },
  );

  it("goes on with empty sets where no run on train passes", async () => {
    const failing: typeof kindsStudy.objective = {
      ...kindsStudy.objective,
      doScore: async () => ({ kind: "scored", value: 0 }),
    };
    const { result } = await search({}, { ...kindsStudy, objective: failing });
    expect(result.candidates.flatMap(({ components }) => demosIn(components))).toEqual([]);
    expect(result.spent.metricCalls).toBeGreaterThan(50);
  });

  it("runs no candidate on an example of val twice", async () => {
    const seen: string[] = [];
    const inner = miproV2();
    const watched: Optimizer = {
      ...inner,
      doOptimize: (space, run) =>
        inner.doOptimize(space, {
          ...run,
          get spent() {
            return run.spent;
          },
          evaluate: (requests) => {
            for (const { candidate, split, exampleIds } of requests) {
              if (split === "val") {
                seen.push(...exampleIds.map((id) => JSON.stringify([candidate, id])));
              }
            }
            return run.evaluate(requests);
          },
        }),
    };
    await search({ optimizer: watched, budget: { metricCalls: 400 } });
    expect(seen.length).toBeGreaterThan(200);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("never shows an example its own answer, where train selects, too", async () => {
    const { splits } = kindsStudy.trainset;
    const trainset = { ...kindsStudy.trainset, splits: { ...splits, val: splits.train } };
    const prompts: string[] = [];
    const watching: LanguageModel = {
      ...lm,
      doGenerate: (request, options) => {
        const fields = Object.keys(request.responseSchema?.schema["properties"] ?? {});
        if (fields.includes("answer")) {
          prompts.push(request.messages.map(({ content }) => textOfContent(content)).join("\n"));
        }
        return lm.doGenerate(request, options);
      },
    };
    await search({ lm: watching }, { ...kindsStudy, trainset });
    const repeated = prompts.filter((prompt) => {
      const numbers = [...prompt.matchAll(/What of the \w+ number (\d+)\?/g)].map(([, n]) => n);
      return numbers.slice(0, -1).includes(numbers.at(-1));
    });
    expect(repeated).toEqual([]);
  });

  it("keeps what it has where the reflection LM gives nothing", async () => {
    const mute: LanguageModel = {
      ...lm,
      doGenerate: (request, options) => {
        const fields = Object.keys(request.responseSchema?.schema["properties"] ?? {});
        if (fields.includes("note") || fields.includes("answer")) {
          return lm.doGenerate(request, options);
        }
        throw new LmError({ code: "lm-context-overflow", problem: "too long" });
      },
    };
    const { result } = await search({ lm: mute });
    expect(demosIn(result.components).length).toBeGreaterThan(0);
    expect(result.rejections.some(({ reason }) => reason === "reflection-fault")).toBe(true);
  });
});

describe("the budget of such a search", () => {
  it("is never exceeded, wherever it ends", async () => {
    const caps = fc.record({
      metricCalls: fc.integer({ min: 20, max: 250 }),
      reflectionCalls: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(caps, async (cap) => {
        const { result } = await search({ budget: cap });
        expect(result.spent.metricCalls).toBeLessThanOrEqual(cap.metricCalls);
        expect(result.spent.reflectionCalls).toBeLessThanOrEqual(cap.reflectionCalls);
      }),
      { numRuns: 15 },
    );
  });

  it("gives its sizes, and a warning where it is too small", () => {
    const optimizer = miproV2();
    const plan = planOptimization(kindsStudy, { optimizer, budget });
    expect(plan).toMatchObject({ seedEvaluation: 20, warnings: [] });
    expect(plan.calls?.reflection).toBeLessThanOrEqual(budget.reflectionCalls);
    const poor = planOptimization(kindsStudy, { optimizer, budget: { metricCalls: 30 } });
    expect(poor.warnings.join()).toContain("The budget covers");
  });
});

describe("faults in such a search", () => {
  it("that pass change nothing", async () => {
    const clean = await search();
    const failed = new Set<string>();
    const failing: LanguageModel = {
      ...lm,
      doGenerate: (request, options) => {
        const call = JSON.stringify([request, options?.exampleId, options?.repetition]);
        if (failed.size < failed.add(call).size) {
          throw new LmError({ code: "lm-server-error", problem: "away" });
        }
        return lm.doGenerate(request, options);
      },
    };
    const { result } = await search({ lm: failing });
    expect(result.candidates).toEqual(clean.result.candidates);
  });

  it("that stay are no score of 0", async () => {
    const failing: LanguageModel = {
      ...lm,
      doGenerate: (request, options) => {
        if (options?.exampleId === "q101") {
          throw new LmError({ code: "lm-server-error", problem: "away" });
        }
        return lm.doGenerate(request, options);
      },
    };
    const { result, events } = await search({ lm: failing });
    const scores = events.flatMap((event) =>
      event.kind === "candidate-evaluated" && "q101" in event.scores ? [event.scores["q101"]] : [],
    );
    expect(scores.length).toBeGreaterThan(2);
    expect(new Set(scores)).toEqual(new Set([null]));
    expect(result.best.selection.value).toBeGreaterThan(0.7);
  });
});

describe("such a search gives the same", () => {
  it("at any concurrency", async () => {
    const [one, many] = [await search({ concurrency: 1 }), await search({ concurrency: 16 })];
    expect(many.result.candidates).toEqual(one.result.candidates);
    expect(many.events).toEqual(one.events);
  });

  it("after it was cut off anywhere, and asks for nothing twice", async () => {
    const whole = await search();
    for (const after of [1, 60, 90, 140, 200]) {
      await using folder = await temporaryFolder();
      const { lm: cutting, signal } = cutAfter(after, lm);
      const runFolder = folder.path;
      const cut = await thrownBy(() => search({ lm: cutting, signal, runFolder, concurrency: 1 }));
      expect(cut).toMatchObject({ code: "aborted" });
      const resumed = await search({ runFolder, resume: true });
      expect(resumed.result.candidates).toEqual(whole.result.candidates);
      expect(resumed.result.rejections).toEqual(whole.result.rejections);
      expect(resumed.result.spent).toEqual(whole.result.spent);
      expect(resumed.calls).toBeLessThanOrEqual(whole.calls - after + 1);
      expect(readRun(runFolder)).toMatchObject({
        candidates: whole.result.candidates,
        rejections: whole.result.rejections,
      });
    }
  });
});
