import { expect, test } from "vitest";
import { accuracy, exactMatch, tokenF1 } from "../../src/metric/index.ts";
import { judgedRun, traceOf } from "./support/judged-run.ts";

const sides = { answer: "answer", golds: "answers" } as const;

const failure = { kind: "format", code: "output-empty", message: "Empty." } as const;

test("judge one answer, each in its own way", () => {
  const run = judgedRun({ answer: "no, it is not" }, { answers: ["no"] });
  const values = [exactMatch, tokenF1, accuracy].map((make) => {
    const metric = make(sides);
    const score = metric.doScore(run);
    return [metric.name, "value" in score && score.value];
  });
  expect(values).toEqual([
    ["exact_match", 0],
    ["token_f1", 0.4],
    ["accuracy", 1],
  ]);
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
