import { expect, test } from "vitest";
import {
  extractiveness,
  lexicalAgreement,
  rougeL,
  tokenPrecision,
  tokenRecall,
} from "../../src/metric/index.ts";
import { judgedRun, traceOf } from "./support/judged-run.ts";

const reference = "The bridge was finished in 1902.";
const output = {
  answer: "It was finished in 1902.",
  passages: [
    { id: "p1", text: "A town." },
    { id: "p2", text: "The bridge was finished in 1902, it is said." },
  ],
  spans: ["was finished in 1902."],
};
const labels = { reference };
// 4 of 5 and of 6 tokens in order, which is 8 / 11 but for the rounding.
const fScore = (2 * (4 / 5) * (4 / 6)) / (4 / 5 + 4 / 6);
const sides = { answer: "answer", reference: "reference" } as const;

test("compare a response with its reference", () => {
  expect(rougeL(sides).doScore(judgedRun(output, labels))).toMatchObject({ value: fScore });
  expect(tokenRecall(sides).doScore(judgedRun(output, labels))).toMatchObject({ value: 0.8 });
});

test("compare a response with the passages and spans it was written from", () => {
  const precision = tokenPrecision({ answer: "answer", passages: "passages" });
  expect(precision.doScore(judgedRun(output, {}))).toMatchObject({
    value: 1,
    feedback: "100 % of the answer's words stand in passage p2, the closest of 2.",
  });
  const copied = extractiveness({ answer: "answer", spans: "spans" });
  expect(copied.doScore(judgedRun(output, {}))).toMatchObject({ value: 0.5 });
});

test("put the two together where no model is at hand", () => {
  const metric = lexicalAgreement({ ...sides, passages: "passages", answering: ["write"] });
  const score = metric.doScore(judgedRun(output, labels, traceOf("write")));
  expect(score).toMatchInlineSnapshot(`
    {
      "blame": [
        {
          "path": "write",
          "score": 0.8275862068965517,
          "text": "The answer was "It was finished in 1902."; expected "The bridge was finished in 1902.", from 2 passages. Lexical agreement 0.828.",
        },
      ],
      "feedback": "The answer was "It was finished in 1902."; expected "The bridge was finished in 1902.", from 2 passages. Lexical agreement 0.828.",
      "kind": "scored",
      "value": 0.8275862068965517,
    }
  `);
});

test("do not apply where there is nothing to compare with", () => {
  const nothing = { ...output, passages: [], spans: [] };
  const scores = [
    rougeL(sides).doScore(judgedRun(output, { reference: "" })),
    tokenRecall(sides).doScore(judgedRun(output, {})),
    lexicalAgreement({ ...sides, passages: "passages" }).doScore(judgedRun(output, {})),
    tokenPrecision({ answer: "answer", passages: "passages" }).doScore(judgedRun(nothing, {})),
    extractiveness({ answer: "answer", spans: "spans" }).doScore(judgedRun(nothing, {})),
  ];
  expect(scores.map((score) => "kind" in score && score.kind)).toEqual(
    scores.map(() => "not-applicable"),
  );
});

test("blame only a writer that the run called", () => {
  const metric = rougeL({ ...sides, answering: ["write", "writeInPart"] });
  expect(metric.doScore(judgedRun(output, labels, traceOf("writeInPart")))).toMatchObject({
    blame: [{ path: "writeInPart", score: fScore }],
  });
  expect(rougeL(sides).doScore(judgedRun(output, labels))).toHaveProperty("blame", []);
});

test("count a run that failed as 0 beside a reference, and leave it out without one", () => {
  const failure = { kind: "format", code: "output-empty", message: "Empty." } as const;
  for (const { scoreFormatFailure } of [
    rougeL(sides),
    tokenRecall(sides),
    lexicalAgreement({ ...sides, passages: "passages" }),
  ]) {
    const held = (about: { reference?: string }) => judgedRun(output, about).example;
    expect(scoreFormatFailure(failure, held(labels))).toMatchObject({ value: 0 });
    expect(scoreFormatFailure(failure, held({}))).toMatchObject({ kind: "not-applicable" });
  }
});
