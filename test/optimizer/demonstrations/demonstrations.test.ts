import { describe, expect, it } from "vitest";
import type { PredictorStep, Rollout } from "espalier/optimizer";
import {
  agreedDemonstrations,
  demonstrationsOf,
  labelledDemonstrations,
  passingScore,
  withDemonstrations,
} from "../../../src/optimizer/demonstrations/index.ts";

function step(predictor: string, output: string | null, asked = "q"): PredictorStep {
  const outputs = output === null ? null : { said: output };
  return { path: predictor, predictor, inputs: { asked }, outputs, rawText: null };
}

function rollout(
  exampleId: string,
  value: number | null,
  steps: readonly PredictorStep[],
): Rollout {
  const failure = { kind: "infrastructure", code: "lm-unreachable", message: "" } as const;
  return {
    exampleId,
    score: value === null ? { kind: "unscored", failure } : { kind: "scored", value },
    ran: [],
    usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
    worst: 0,
    lesson: { steps },
  };
}

describe("a run's demonstrations", () => {
  const two = [step("plan", "p"), step("answer", "a")];

  it("are one for each predictor, with example and score", () => {
    expect(demonstrationsOf(rollout("e1", 0.8, two), { threshold: 0.8 })).toEqual([
      {
        predictor: "plan",
        demonstration: {
          exampleId: "e1",
          score: 0.8,
          inputs: { asked: "q" },
          outputs: { said: "p" },
        },
      },
      {
        predictor: "answer",
        demonstration: {
          exampleId: "e1",
          score: 0.8,
          inputs: { asked: "q" },
          outputs: { said: "a" },
        },
      },
    ]);
  });

  it.each<[string, Rollout]>([
    ["below the threshold", rollout("e1", 0.79, two)],
    ["that a fault left without a score", rollout("e1", null, two)],
    ["of val, which keeps no lesson", { ...rollout("e1", 1, two), lesson: undefined } as never],
    [
      "whose mean passes, but not the run that the lesson is of",
      { ...rollout("e1", 0.9, two), lesson: { steps: two, score: 0.5 } },
    ],
  ])("are none of a run %s", (_, run) => {
    expect(demonstrationsOf(run, { threshold: 0.8 })).toEqual([]);
  });

  it("leave out calls that failed, that repeat another, and that are too long", () => {
    const long = "x".repeat(8_000);
    const steps = [
      step("a", null),
      step("a", "1"),
      step("a", "1"),
      step("b", long),
      step("c", "2"),
    ];
    const given = demonstrationsOf(rollout("e1", 1, steps), { threshold: 1 });
    expect(given.map(({ predictor }) => predictor)).toEqual(["a", "c"]);
  });

  it("are not of a call whose own score, as blame has it, is too low", () => {
    const run = rollout("e1", 1, two);
    const blame = [
      { path: "plan", score: 0.2, text: "Wrong." },
      { path: "answer", score: 0.9, text: "Right." },
    ];
    const given = demonstrationsOf({ ...run, lesson: { steps: two, blame } }, { threshold: 0.8 });
    expect(given.map(({ predictor }) => predictor)).toEqual(["answer"]);
  });

  it("carry their example's cluster", () => {
    const clusterOf = (id: string): string | undefined => (id === "e1" ? "talk" : undefined);
    const clusters = ["e1", "e2"].flatMap((id) =>
      demonstrationsOf(rollout(id, 1, [step("a", "1")]), { threshold: 1, clusterOf }).map(
        ({ demonstration }) => demonstration.cluster,
      ),
    );
    expect(clusters).toEqual(["talk", undefined]);
  });
});

describe("demonstrations that several runs agree on", () => {
  const saidBy = (rollouts: readonly Rollout[], threshold = 1) =>
    agreedDemonstrations(rollouts, { threshold }).map(
      ({ predictor, demonstration, passed, seen }) => [
        `${demonstration.exampleId} ${predictor} ${demonstration.outputs["said"] as string}`,
        passed,
        seen,
      ],
    );

  it("are of the outputs that came up in the most passing runs", () => {
    const runs = ["lucky", "right", "right"].map((said) => rollout("e1", 1, [step("plan", said)]));
    expect(saidBy(runs)).toEqual([["e1 plan right", 2, 2]]);
  });

  it("are of the outputs with which runs pass more often, where as many passed", () => {
    const runs = [
      rollout("e1", 1, [step("plan", "lucky")]),
      rollout("e1", 0, [step("plan", "lucky")]),
      rollout("e1", 1, [step("plan", "right")]),
    ];
    expect(saidBy(runs)).toEqual([["e1 plan right", 1, 1]]);
  });

  it("are of the higher score, then of the earlier run, then of the later call", () => {
    const graded = [0.8, 0.9, 0.9].map((value, run) =>
      rollout("e1", value, [step("plan", `${run} early`), step("plan", `${run} late`)]),
    );
    expect(saidBy(graded, 0.5)).toEqual([["e1 plan 1 late", 1, 1]]);
  });

  it("are not of calls that feedback blames, while the predictor has others", () => {
    const blamed = (exampleId: string, said: string): Rollout => ({
      ...rollout(exampleId, 1, []),
      lesson: { steps: [step("plan", said)], blame: [{ path: "plan", text: "Wrong." }] },
    });
    const lucky = [blamed("e1", "lucky"), blamed("e2", "lucky")];
    expect(saidBy([...lucky, rollout("e2", 1, [step("plan", "right")])])).toEqual([
      ["e2 plan right", 1, 1],
    ]);
    expect(saidBy(lucky)).toHaveLength(2);
  });

  it("are one for each example and predictor", () => {
    const runs = [
      rollout("e2", 1, [step("plan", "p"), step("answer", "a")]),
      rollout("e1", 1, [step("answer", "b")]),
      rollout("e3", 0, [step("answer", "c")]),
    ];
    expect(saidBy(runs).map(([said]) => said)).toEqual(["e2 plan p", "e2 answer a", "e1 answer b"]);
  });
});

describe("labelled demonstrations", () => {
  const space = {
    name: "p",
    components: ["plan", "answer"].map((path) => ({ kind: "demos" as const, path, value: [] })),
    train: ["e1", "e2"],
    val: ["e3"],
    describe: () => "",
    inputsOf: (predictor: string, id: string) =>
      predictor === "plan" ? { asked: id } : ({} as Record<string, string>),
    labelledOutputsOf: (predictor: string, id: string) =>
      id === "e1" || predictor === "plan" ? { said: `${predictor} of ${id}` } : null,
  };

  it("are what labels say of a predictor, with the inputs known without a run", () => {
    const given = labelledDemonstrations(space, []);
    expect(given.map(({ demonstration }) => demonstration)).toEqual([
      { exampleId: "e1", inputs: { asked: "e1" }, outputs: { said: "plan of e1" } },
      { exampleId: "e2", inputs: { asked: "e2" }, outputs: { said: "plan of e2" } },
    ]);
  });

  it("take the inputs of a run where there is one", () => {
    const given = labelledDemonstrations(space, [rollout("e1", 0, [step("answer", null, "run")])]);
    expect(given.map(({ predictor, demonstration }) => [predictor, demonstration.inputs])).toEqual([
      ["plan", { asked: "e1" }],
      ["answer", { asked: "run" }],
      ["plan", { asked: "e2" }],
    ]);
  });

  it("are none where labels say nothing of outputs", () => {
    const { labelledOutputsOf: _outputs, ...without } = space;
    expect(labelledDemonstrations(without, [])).toEqual([]);
  });
});

describe("the score from which runs pass, where none is given", () => {
  const of = (...values: readonly (number | null)[]): number =>
    passingScore(values.map((value, id) => rollout(String(id), value, [])));

  it("is 1 of scores that are 0 or 1, however many are 1", () => {
    expect(of(0, 0, 0, 0, 0, 0, 1)).toBe(1);
    expect(of(1, 1, 1, 0)).toBe(1);
  });

  it("is the upper quartile of graded scores, without those that faults left out", () => {
    expect(of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, null)).toBe(0.6);
  });

  it("is reached by none where all are 0", () => {
    expect(of(0, 0)).toBe(Infinity);
    expect(of(null)).toBe(Infinity);
  });
});

describe("components with demonstrations", () => {
  it("replace those of each predictor, and keep what does not change", () => {
    const demonstration = { exampleId: "e1", inputs: { a: "1" }, outputs: { b: "2" } };
    const components = [
      { kind: "instruction" as const, path: "plan", value: "Plan." },
      { kind: "demos" as const, path: "plan", value: [] },
      { kind: "demos" as const, path: "answer", value: [demonstration] },
    ];
    const changed = withDemonstrations(components, [{ predictor: "plan", demonstration }]);
    expect(changed.map(({ value }) => value)).toEqual(["Plan.", [demonstration], []]);
    expect(changed[0]).toBe(components[0]);
    const same = withDemonstrations(changed, [{ predictor: "plan", demonstration }]);
    expect(same.every((held, index) => held === changed[index])).toBe(true);
  });
});
