import { expect, test } from "vitest";
import {
  accuracy,
  compoundAccuracy,
  exactMatch,
  hotpotF1,
  negatedSteps,
  stepsIn,
  tokenF1,
} from "../../src/metric/index.ts";
import { judgedRun, traceOf } from "./support/judged-run.ts";

const sides = { answer: "answer", golds: "answers" } as const;

const failure = { kind: "format", code: "output-empty", message: "Empty." } as const;

test("judge one answer, each in its own way", () => {
  const run = judgedRun({ answer: "no, it is not" }, { answers: ["no"] });
  const values = [exactMatch, tokenF1, hotpotF1, accuracy].map((make) => {
    const metric = make(sides);
    const score = metric.doScore(run);
    return [metric.name, "value" in score && score.value];
  });
  expect(values).toEqual([
    ["exact_match", 0],
    ["token_f1", 0.4],
    ["hotpot_f1", 0],
    ["accuracy", 1],
  ]);
});

test("name the parts that a compound answer lacks", () => {
  const run = judgedRun({ answer: "In 1651." }, { answers: ["1651 && Rachael"] });
  expect(compoundAccuracy(sides).doScore(run)).toMatchObject({
    value: 0.5,
    feedback: 'The answer was "In 1651."; it lacks "Rachael" of 2 parts.',
  });
});

test("do not apply without a gold, and blame as the rule given says", () => {
  const blame = ({ value, trace }: { value: number; trace: { children: readonly unknown[] } }) => [
    { path: "router", score: value, text: `It took ${trace.children.length} calls.` },
  ];
  const metric = accuracy({ ...sides, blame });
  expect(metric.doScore(judgedRun({ answer: "x" }, { answers: [] }))).toMatchObject({
    kind: "not-applicable",
  });
  const run = judgedRun({ answer: "x" }, { answers: ["y"] }, traceOf("router", "answer"));
  expect(metric.doScore(run)).toMatchObject({
    blame: [{ path: "router", score: 0, text: "It took 2 calls." }],
  });
});

test("count a run that failed as 0 beside a gold, and leave it out without one", () => {
  const { scoreFormatFailure } = exactMatch(sides);
  const held = (answers: readonly string[]) => judgedRun({}, { answers }).example;
  expect(scoreFormatFailure(failure, held(["y"]))).toMatchObject({ kind: "scored", value: 0 });
  expect(scoreFormatFailure(failure, held([]))).toMatchObject({ kind: "not-applicable" });
});

test("take one accepted answer as it is, or a list", () => {
  const metric = exactMatch({ answer: "answer", golds: "gold" });
  const judged = judgedRun({ answer: "Ostrel" }, { gold: "Ostrel" });
  expect(metric.doScore(judged as never)).toMatchObject({ value: 1 });
  expect(metric.appliesTo?.(judged.example as never)).toBe(true);
});

test("never take a run that failed for one of no step, which would be the best", () => {
  const count = () => 3;
  const { example } = judgedRun({}, {});
  const bounded = negatedSteps({ count, most: 5 });
  expect(bounded.scoreFormatFailure(failure, example)).toMatchObject({ value: -5 });
  expect(negatedSteps({ count }).scoreFormatFailure(failure, example)).toMatchObject({
    kind: "not-applicable",
  });
});

test("count steps at any depth, and give them negated, since higher is better", () => {
  const { children, ...rest } = traceOf("ask", "answer");
  const hop = (key: number) =>
    ({ kind: "scope", path: `deep/hop[${key}]`, startMs: 0, children }) as const;
  const trace = { ...rest, children: [hop(1), hop(2), ...children] };
  expect(stepsIn(trace, { predictor: "ask" })).toBe(3);
  expect(stepsIn(trace, { scope: "hop" })).toBe(2);
  expect(stepsIn(trace, { retriever: "bm25" })).toBe(0);
  const metric = negatedSteps({ count: (run) => stepsIn(run.trace, { scope: "hop" }), most: 1 });
  expect(metric.doScore(judgedRun({}, {}, trace))).toMatchObject({
    value: -2,
    feedback: "Took 2 steps, more than 1.",
  });
  expect(metric.doScore(judgedRun({}, {}))).toMatchObject({ value: 0, feedback: "Took 0 steps." });
});
