import { describe, expect, it } from "vitest";
import type { OptimizerEvent, OptimizerProgress } from "espalier/optimizer";
import {
  customProposer,
  optimizeTexts,
  racingValidation,
  sameParent,
  targetedLessons,
} from "espalier/optimizer";
import {
  allComponents,
  fullValidation,
  improvementOnVal,
} from "../../conformance/reference/index.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

type Events = readonly (OptimizerEvent | OptimizerProgress)[];

describe("several proposals at a time", () => {
  it("are as many as the budget carries to their ends, so that what was spent is not lost", async () => {
    for (const metricCalls of [90, 105, 150]) {
      const { task } = keywordTask({ val: 40, hasConflicts: false });
      const { candidates, spent } = await optimizeTexts(task, {
        optimizer: gepaWith({
          proposals: sameParent({ count: 4 }),
          proposer: directedProposer(),
          scoreReuse: "none",
          validation: fullValidation(),
          minibatch: targetedLessons({ initial: 2 }),
          gateAbove: null,
        }),
        budget: { metricCalls },
      });
      expect(spent.metricCalls).toBeLessThanOrEqual(metricCalls);
      // Room for the seed, two runs on train and one child.
      expect(candidates.length).toBeGreaterThan(1);
    }
  });

  it("ask for no more texts than the budget has left", async () => {
    const { candidates, spent } = await optimizeTexts(keywordTask({ hasConflicts: false }).task, {
      optimizer: gepaWith({
        proposals: sameParent({ count: 4 }),
        component: allComponents(),
        proposer: directedProposer(),
        secondTries: 0,
      }),
      budget: { metricCalls: 400, reflectionCalls: 3 },
    });
    expect(spent.reflectionCalls).toBeGreaterThan(0);
    expect(spent.reflectionCalls).toBeLessThanOrEqual(3);
    expect(candidates.length).toBeGreaterThan(1);
  });
});

describe("of a joint proposal of which one text is refused", () => {
  const run = async (options: FlatGepaOptions = {}) => {
    const { task } = keywordTask({ hasConflicts: false });
    const events: (OptimizerEvent | OptimizerProgress)[] = [];
    const asked: string[] = [];
    const half = customProposer("half", ({ id, component }) => {
      asked.push(id);
      return component.path === "first" ? "" : `${component.value} w${asked.length}`;
    });
    const result = await optimizeTexts(
      {
        ...task,
        evaluate: () => ({ score: 0.5, feedback: `Again.` }),
      },
      {
        optimizer: gepaWith({
          components: ["instruction:first", "instruction:second"],
          ...options,
          proposer: half,
        }),
        budget: { metricCalls: 2_000 },
        onEvent: (event) => events.push(event),
      },
    );
    return { result, events, asked };
  };

  it("the refusal is told, the other text is tried, and failures on one component end the run", async () => {
    const { result, events } = await run({ secondTries: 0, maxReflectionFailures: 3 });
    expect(result.reason).toBe("reflection-failing");
    const refused = result.rejections.filter(({ reason }) => reason === "empty");
    expect(refused).toHaveLength(3);
    expect(refused.map(({ components }) => components)).toEqual(
      Array.from({ length: 3 }, () => ["instruction:first"]),
    );
    const proposed = events.filter((event) => event.kind === "candidate-proposed");
    expect(proposed.length).toBeGreaterThan(0);
    for (const { texts } of proposed) expect(Object.keys(texts)).toEqual(["instruction:second"]);
  });

  it("each further try has an id of its own, and each refused text is told", async () => {
    const { result, asked } = await run({ secondTries: 2, maxReflectionFailures: 1 });
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((id) => id.includes("/again-"))).toEqual([
      expect.stringMatching(/again-1$/),
      expect.stringMatching(/again-2$/),
    ]);
    expect(result.rejections.filter(({ reason }) => reason === "empty")).toHaveLength(3);
  });
});

describe("an objective that is no mean of scores", () => {
  /** The lowest score counts: `second` raises one example, and lowers the sum. */
  const lowest = async (validation: FlatGepaOptions["validation"]) => {
    const scores = (isNew: boolean, id: string): number => (isNew ? 0.4 : id === "v0" ? 0 : 0.9);
    return optimizeTexts(
      {
        name: "lowest",
        version: "1",
        texts: { first: "Old." },
        train: { t0: 0, t1: 1 },
        val: { v0: 0, v1: 1, v2: 2, v3: 3 },
        aggregate: (_, scored) => Math.min(...scored.map(({ value }) => value)),
        evaluate: ({ first }, _, { exampleId }) => ({
          score: scores(first !== "Old.", exampleId),
          feedback: "Be new.",
        }),
      },
      {
        optimizer: gepaWith({
          proposer: customProposer("new", () => "New."),
          valAcceptance: improvementOnVal(),
          validation: validation ?? fullValidation(),
          gateAbove: null,
        }),
        budget: { metricCalls: 30 },
      },
    );
  };

  it("decides by its own value whether a child is accepted, and no race is stopped by sums", async () => {
    for (const validation of [fullValidation(), racingValidation({ size: 1 })]) {
      const { candidates, best } = await lowest(validation);
      expect(candidates).toHaveLength(2);
      expect(best).toMatchObject({ id: 1, selection: { value: 0.4 } });
      expect(best.acceptance.detail).toBe("0.4 better than its parent on val.");
    }
  });

  it("is put together from the objectives of parent and child alike, as a harmonic mean of their means", async () => {
    const meanOf = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const { candidates, best } = await optimizeTexts(
      {
        name: "harmonic",
        version: "1",
        texts: { first: "Old." },
        train: { t0: 0 },
        val: { v0: 0, v1: 1 },
        aggregate: (_, scored) => {
          const [right, brief] = ["right", "brief"].map((name) =>
            meanOf(scored.map(({ objectives }) => objectives?.[name] ?? 0)),
          ) as [number, number];
          return right + brief === 0 ? 0 : (2 * right * brief) / (right + brief);
        },
        // The mean of the two falls, and their harmonic mean rises.
        evaluate: ({ first }) => ({
          ...(first === "Old."
            ? { score: 0.55, objectives: { right: 1, brief: 0.1 } }
            : { score: 0.5, objectives: { right: 0.5, brief: 0.5 } }),
          feedback: "Be brief.",
        }),
      },
      {
        optimizer: gepaWith({
          proposer: customProposer("new", () => "New."),
          valAcceptance: improvementOnVal(),
        }),
        budget: { metricCalls: 30 },
      },
    );
    expect(candidates.map(({ selection }) => Number(selection.value.toFixed(4)))).toEqual([
      0.1818, 0.5,
    ]);
    expect(best.acceptance.detail).toBe("0.3182 better than its parent on val.");
  });
});

describe("racing", () => {
  it("ends on what is known alone, before a run is made", async () => {
    // One example of val runs `first` alone and falls; the others run both.
    const events: (OptimizerEvent | OptimizerProgress)[] = [];
    const texts: string[] = [];
    const { rejections } = await optimizeTexts(
      {
        name: "known",
        version: "1",
        texts: { first: "A", second: "B" },
        train: { t0: 0, t1: 1 },
        val: { v0: 0, v1: 1, v2: 2 },
        evaluate: ({ first = "", second = "" }, _, { exampleId }) => {
          if (exampleId === "v0") return { score: first === "A" ? 1 : 0, ran: ["first"] };
          if (exampleId.startsWith("t")) {
            return { score: 0, feedback: "Again.", ran: ["first", "second"] };
          }
          return { score: first === "A" ? 0.5 : 1, ran: second === "" ? [] : ["first", "second"] };
        },
      },
      {
        optimizer: gepaWith({
          component: allComponents(),
          gateAbove: null,
          scoreReuse: "trace-always",
          proposer: customProposer("next", ({ component }) => {
            texts.push(component.path);
            // The same text for `first`, with ever another one for `second`.
            return component.path === "first" ? "C" : `B${texts.length}`;
          }),
          checks: [],
        }),
        budget: { metricCalls: 60 },
        onEvent: (event) => events.push(event),
      },
    );
    const stopped = rejections.filter(({ detail }) => detail.includes("on the rest of val"));
    expect(stopped.length).toBeGreaterThan(0);
    const iterations = new Set(stopped.map(({ iteration }) => iteration));
    const runOnVal = onValIn(events, iterations);
    expect(runOnVal).toBe(0);
  });

  it("rejects nobody for falling behind where the perfect score is 0 or less", () => {
    const { stop } = racingValidation();
    const pairs = (loss: number) => ({
      parent: Array.from({ length: 40 }, () => 0),
      child: Array.from({ length: 40 }, () => -loss),
    });
    expect(stop?.(pairs(1), 200, 1)).toBe("40 behind its parent on part of val.");
    expect(stop?.(pairs(1), 200, 0)).toBeNull();
    expect(stop?.(pairs(1), 200, -1)).toBeNull();
  });
});

it("a choice of examples that explores what is known for ever ends the run with nothing new", async () => {
  const { task, calls } = keywordTask();
  const { reason } = await optimizeTexts(task, {
    optimizer: gepaWith({
      proposer: directedProposer(),
      scoreReuse: "trace-always",
      maxIdleIterations: 3,
      minibatch: { name: "for-ever", next: () => ({ kind: "explore", exampleIds: ["t0"] }) },
    }),
    budget: { metricCalls: 100 },
  });
  expect(reason).toBe("nothing-new");
  expect(calls).toHaveLength(11);
});

function onValIn(events: Events, iterations: ReadonlySet<number>): number {
  return events.filter(
    (event) =>
      event.kind === "candidate-evaluated" &&
      event.split === "val" &&
      iterations.has(event.iteration),
  ).length;
}
