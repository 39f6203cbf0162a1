import { expect, test } from "vitest";
import type { Example } from "../../../src/contract/index.ts";
import {
  exactMatch,
  metric,
  notApplicable,
  scored,
  tokenF1,
  unscored,
} from "../../../src/metric/index.ts";

const failure = { kind: "format", code: "output-empty", message: "The reply is empty." } as const;
const example: Example<unknown, readonly string[]> = { id: "e", input: {}, labels: ["the Rhine"] };
const trace = {
  program: "p",
  version: "1",
  input: {},
  notes: {},
  children: [],
  startedAtMs: 0,
  latencyMs: 0,
};

test("makes a frozen metric that scores a format failure 0 with its message", () => {
  const made = metric({ name: "m", version: "1", score: () => scored(1) });
  expect(Object.isFrozen(made)).toBe(true);
  expect(made.doScore({ example, output: "x", trace })).toEqual({ kind: "scored", value: 1 });
  expect(made.scoreFormatFailure(failure, example)).toEqual({
    kind: "scored",
    value: 0,
    feedback: "The reply is empty.",
  });
  expect("aggregate" in made || "module" in made).toBe(false);
});

test("keeps what its author passes", () => {
  const made = metric({
    name: "m",
    version: "1",
    module: "./m.ts",
    score: () => unscored(failure),
    formatFailure: () => notApplicable("optional"),
    aggregate: (rows) => rows.length,
  });
  expect(made.module).toBe("./m.ts");
  expect(made.scoreFormatFailure(failure, example)).toEqual({
    kind: "not-applicable",
    reason: "optional",
  });
  expect(made.aggregate?.([{ value: 1, example }])).toBe(1);
});

test("builds a score of everything one call can say", () => {
  const blame = [{ path: "hop[1]/generate", score: 0.5, text: "too broad" }];
  expect(scored(0.5, "half", blame, { brevity: 1 })).toEqual({
    kind: "scored",
    value: 0.5,
    feedback: "half",
    blame,
    objectives: { brevity: 1 },
  });
});

test.each([
  ["value", () => scored(NaN)],
  ["value", () => scored(-Infinity)],
  ["objective `brevity`", () => scored(1, undefined, undefined, { brevity: 0 / 0 })],
  ["blame on `hop`", () => scored(1, "x", [{ path: "hop", score: Infinity, text: "" }])],
])("refuses a %s that is not finite", (what, make) => {
  expect(make).toThrow(`A score's ${what} is not a finite number.`);
});

test("judges answers by exact match and by token F1, in words a reflection can use", () => {
  const sides = { answer: "river", golds: "rivers" } as const;
  const judge = (river: string, rivers: readonly string[] = ["the Rhine"]) => ({
    example: { id: "e", input: {}, labels: { rivers } },
    output: { river },
    trace,
  });
  expect(exactMatch(sides).doScore(judge("Rhine"))).toEqual({
    kind: "scored",
    value: 1,
    feedback: 'The answer "Rhine" is right.',
  });
  expect(tokenF1(sides).doScore(judge("Rhine river"))).toMatchObject({
    value: 2 / 3,
    feedback: 'The answer was "Rhine river"; expected "the Rhine".',
  });
  expect(exactMatch(sides).doScore(judge("x", []))).toEqual({
    kind: "not-applicable",
    reason: "No answer was given to compare with.",
  });
});
