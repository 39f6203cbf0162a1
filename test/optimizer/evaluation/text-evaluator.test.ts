import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { customProposer, optimizeTexts } from "espalier/optimizer";
import { independent } from "../../conformance/reference/index.ts";
import { textEvaluator } from "../../../src/optimizer/evaluation/text-evaluator.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { directedProposer, keywordTask } from "../gepa/support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

describe("a text task that takes its time", () => {
  it.each([1, 3, 8])(
    "has %d evaluations in flight, also of several candidates",
    async (concurrency) => {
      let [inFlight, most] = [0, 0];
      const { task } = keywordTask({ val: 12 });
      await optimizeTexts(
        {
          ...task,
          evaluate: async (...given) => {
            most = Math.max(most, ++inFlight);
            await setImmediate();
            inFlight--;
            return task.evaluate(...given);
          },
        },
        {
          optimizer: gepaWith({
            proposer: directedProposer(),
            proposals: independent({ count: 3 }),
            valSample: null,
            gateAbove: null,
          }),
          budget: { metricCalls: 120 },
          concurrency,
        },
      );
      expect(most).toBe(concurrency);
    },
  );
});

describe("a text task that answers at once", () => {
  it("does not keep its run from being aborted", async () => {
    const stopped = new AbortController();
    // Each look at it takes a millisecond.
    let now = 0;
    const clock = { now: () => now++, sleep: () => new Promise<void>(() => {}) };
    let rollouts = 0;
    const { task } = keywordTask();
    const run = optimizeTexts(
      {
        ...task,
        evaluate: (...given) => {
          if (++rollouts === 20) void setImmediate().then(() => stopped.abort());
          return task.evaluate(...given);
        },
      },
      {
        optimizer: gepaWith({ proposer: directedProposer() }),
        budget: { metricCalls: 500 },
        signal: stopped.signal,
        clock,
      },
    );
    await expect(run).rejects.toMatchObject({ code: "aborted" });
    expect(rollouts).toBeLessThan(200);
  });
});

describe("a text task that is aborted", () => {
  it("is not begun", async () => {
    const { task } = keywordTask();
    let isBegun = false;
    const evaluator = textEvaluator(
      {
        ...task,
        evaluate: async () => {
          isBegun = true;
          throw new Error("Heeds its signal.");
        },
      },
      1,
    );
    const evaluation = evaluator.evaluate({
      candidate: [],
      split: "val",
      exampleIds: ["v0"],
      keepsLessons: false,
      scope: "",
      signal: AbortSignal.abort(),
      onRollout: () => {},
    });
    await expect(evaluation).rejects.toMatchObject({ name: "AbortError" });
    expect(isBegun).toBe(false);
  });
});

describe("a text task that fails", () => {
  it.each([1, 4])("ends the run and is asked no more, with %d at a time", async (concurrency) => {
    const { task } = keywordTask({ val: 30 });
    const asked: string[] = [];
    const run = optimizeTexts(
      {
        ...task,
        evaluate: async (texts, example, given) => {
          asked.push(given.exampleId);
          await setImmediate();
          if (given.exampleId === "v5") throw new Error("No such file.");
          return task.evaluate(texts, example, given);
        },
      },
      {
        optimizer: gepaWith({ proposer: customProposer("none", () => "") }),
        budget: { metricCalls: 60 },
        concurrency,
      },
    );
    await expect(run).rejects.toThrow("No such file.");
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    // Those that had begun when it failed, and no others.
    expect(asked.length).toBeLessThan(6 + concurrency);
  });

  it("leaves nothing running that could still write to the run's files", async () => {
    await using folder = await temporaryFolder();
    const { task } = keywordTask({ val: 30 });
    let running = 0;
    const failed = Promise.withResolvers<void>();
    const run = optimizeTexts(
      {
        ...task,
        evaluate: async (texts, example, given) => {
          running++;
          const fails = given.exampleId === "v5";
          if (fails) void setImmediate().then(failed.resolve);
          else await failed.promise;
          running--;
          if (fails) throw new Error("No such file.");
          return task.evaluate(texts, example, given);
        },
      },
      {
        optimizer: gepaWith({ proposer: customProposer("none", () => "") }),
        budget: { metricCalls: 60 },
        concurrency: 8,
        runFolder: folder.path,
      },
    );
    await expect(run).rejects.toThrow("No such file.");
    expect(running).toBe(0);
    // What had begun is kept for a resumed run.
    const journal = await readFile(join(folder.path, "journal.jsonl"), "utf8");
    expect(journal.match(/"kind":"rollout".*"exampleId":"v\d+"/g)?.length).toBeGreaterThanOrEqual(
      7,
    );
  });

  it("by a figure that is not finite is told which", async () => {
    const { task } = keywordTask();
    const objectives = { brevity: Infinity };
    const error = await thrownBy(async () =>
      optimizeTexts(
        { ...task, evaluate: () => ({ score: 1, objectives }) },
        { optimizer: gepaWith({ proposer: directedProposer() }), budget: { metricCalls: 60 } },
      ),
    );
    expect(error.code).toBe("metric-failed");
    expect(error.message).toContain("objective `brevity`");
  });

  it("by its score is told where", async () => {
    const { task } = keywordTask();
    const run = async () =>
      optimizeTexts(
        { ...task, evaluate: () => ({ score: NaN }) },
        { optimizer: gepaWith({ proposer: directedProposer() }), budget: { metricCalls: 60 } },
      );
    const error = await thrownBy(run);
    expect(error.code).toBe("metric-failed");
    expect(error.message).toContain("v0");
  });
});
