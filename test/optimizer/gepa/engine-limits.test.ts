import { describe, expect, it } from "vitest";
import type { OptimizerEvent, OptimizerProgress } from "espalier/optimizer";
import { customProposer, optimizeTexts, sameParent, targetedLessons } from "espalier/optimizer";
import { allComponents, improvementOnVal } from "../../conformance/reference/index.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

describe("several proposals at a time", () => {
  it("are as many as the budget carries to their ends, so that what was spent is not lost", async () => {
    for (const metricCalls of [90, 105, 150]) {
      const { task } = keywordTask({ val: 40, hasConflicts: false });
      const { candidates, spent } = await optimizeTexts(task, {
        optimizer: gepaWith({
          proposals: sameParent({ count: 4 }),
          proposer: directedProposer(),
          scoreReuse: "none",
          valSample: null,
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
  const lowest = async () => {
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
          gateAbove: null,
        }),
        budget: { metricCalls: 30 },
      },
    );
  };

  it("decides by its own value on all of val whether a child is accepted", async () => {
    const { candidates, best } = await lowest();
    expect(candidates).toHaveLength(2);
    expect(best).toMatchObject({ id: 1, selection: { value: 0.4 } });
    expect(best.acceptance.detail).toBe("0.4 better than its parent on val.");
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

it("a choice of examples that explores what is known for ever ends the run with nothing new", async () => {
  const { task, calls } = keywordTask();
  const { reason } = await optimizeTexts(task, {
    optimizer: gepaWith({
      proposer: directedProposer(),
      scoreReuse: "trace",
      maxIdleIterations: 3,
      minibatch: { name: "for-ever", next: () => ({ kind: "explore", exampleIds: ["t0"] }) },
    }),
    budget: { metricCalls: 100 },
  });
  expect(reason).toBe("nothing-new");
  // The seed on val, the example, and the first score that could be reused once more.
  expect(calls).toHaveLength(12);
});
