import { expect, test } from "vitest";
import type { MetricRow } from "../../../src/contract/index.ts";
import type { JudgedGeneration } from "../src/index.ts";
import { idkConditionedHarmonicMean } from "../src/index.ts";
import { judgedRun, traceOf } from "../../../test/metric/support/judged-run.ts";

type Judged = JudgedGeneration<"agreement" | "faithfulness">;

const metric = idkConditionedHarmonicMean<unknown, unknown, Judged, "agreement" | "faithfulness">({
  name: "quality",
  version: "1",
  objectives: ["agreement", "faithfulness"],
  judge: ({ example }) => example.labels,
  blame: { retrieving: ["search"], abstaining: ["decide"], answering: ["write", "writeInPart"] },
});

function judged(about: Partial<Judged> = {}): Judged {
  return {
    objectives: {
      agreement: { value: 0.4, text: "It says little of the reference." },
      faithfulness: { value: 0.8 },
    },
    answerability: "ANSWERABLE",
    idk: 0,
    clarification: 0,
    ...about,
  };
}

const scoreOf = (labels: Judged) =>
  metric.doScore(judgedRun({}, labels, traceOf("decide", "write")));

test("keeps the raw objectives of an answered question, with what is behind them", async () => {
  expect(await scoreOf(judged())).toMatchInlineSnapshot(`
    {
      "blame": [
        {
          "path": "decide",
          "score": 1,
          "text": "It answered, and there was something to answer, which is as it should be.",
        },
        {
          "path": "write",
          "score": 0.6000000000000001,
          "text": "It says little of the reference.",
        },
      ],
      "feedback": "It says little of the reference.
    agreement: 0.400
    faithfulness: 0.800",
      "kind": "scored",
      "objectives": {
        "agreement": 0.4,
        "faithfulness": 0.8,
      },
      "value": 0.6000000000000001,
      "verdicts": {
        "idk": "0",
      },
    }
  `);
});

test("tells whoever decided that declining was wrong, and says nothing of the raw values", async () => {
  expect(await scoreOf(judged({ idk: 1 }))).toMatchInlineSnapshot(`
    {
      "blame": [
        {
          "path": "decide",
          "score": 0,
          "text": "It declined wrongly: the passages hold the answer, which it should have given.",
        },
        {
          "path": "write",
          "score": 0,
          "text": "It declined wrongly: the passages hold the answer, which it should have given.",
        },
      ],
      "feedback": "It declined wrongly: the passages hold the answer, which it should have given.
    agreement: 0.000
    faithfulness: 0.000",
      "kind": "scored",
      "objectives": {
        "agreement": 0,
        "faithfulness": 0,
      },
      "value": 0,
      "verdicts": {
        "idk": "1",
      },
    }
  `);
});

test.each([
  ["UNANSWERABLE", 0, 0, "It should have declined: the passages hold no answer, yet it answered."],
  [
    "UNANSWERABLE",
    0.5,
    0,
    "It should have declined wholly: the passages hold no answer, yet it answered in part.",
  ],
  ["UNANSWERABLE", 1, 1, "It rightly declined: the passages hold no answer."],
  ["CONVERSATIONAL", 1, 1, "It rightly declined: there is no question that passages could answer."],
  [
    "PARTIAL",
    1,
    0,
    "It declined wrongly: the passages hold a part of the answer, which it should have given.",
  ],
] as const)("says of %s with verdict %d what follows", async (answerability, idk, value, text) => {
  const score = await scoreOf(judged({ answerability, idk }));
  expect(score).toMatchObject({ value, objectives: { agreement: value, faithfulness: value } });
  expect(score).toMatchObject({ blame: [{ path: "decide", text }, { path: "write" }] });
});

test("tells missed evidence from evidence that was there and not used", async () => {
  const told = async (evidence: "there" | "missed", idk: 0 | 1) =>
    metric.doScore(judgedRun({}, judged({ evidence, idk }), traceOf("search", "decide", "write")));
  // Missing evidence excuses whoever declined, and nobody's value.
  expect(await told("missed", 1)).toMatchObject({
    value: 0,
    blame: [
      { path: "search", score: 0, text: "No relevant passage was found." },
      { path: "decide", score: 1, text: expect.stringContaining("for want of evidence") },
      { path: "write", score: 0 },
    ],
  });
  expect(await told("there", 1)).toMatchObject({
    value: 0,
    blame: [
      { path: "search", score: 1 },
      { path: "decide", score: 0, text: expect.stringContaining("declined wrongly") },
      { path: "write", score: 0 },
    ],
  });
  expect(await told("missed", 0)).toMatchObject({
    blame: [{ path: "search", score: 0 }, { path: "decide", score: 1 }, { path: "write" }],
  });
});

test("tells a good response where declining was decided wrongly, and only there", async () => {
  const reference = "In 1902.";
  const told = { feedback: expect.stringContaining('A good response: "In 1902."') };
  expect(await scoreOf(judged({ idk: 1, reference }))).toMatchObject(told);
  expect(await scoreOf(judged({ reference }))).not.toMatchObject(told);
});

test("counts an output that could not be parsed as 0 in each objective", () => {
  const failure = { kind: "format", code: "output-empty", message: "Empty." } as const;
  const score = metric.scoreFormatFailure(failure, row({}).example);
  expect(score).toMatchObject({ value: 0, objectives: { agreement: 0, faithfulness: 0 } });
});

test("asks for a question back where the question leaves open what is meant", async () => {
  const open = judged({ answerability: "UNDERSPECIFIED" });
  expect(await scoreOf(open)).toMatchObject({ value: 0 });
  expect(await scoreOf({ ...open, clarification: 1 })).toMatchObject({ value: 1 });
});

test("leaves out an objective that does not apply, and the row where none does", async () => {
  const partly = judged({
    objectives: { agreement: { value: 0.4 }, faithfulness: { value: null } },
  });
  expect(await scoreOf(partly)).toMatchObject({
    value: 0.4,
    objectives: { agreement: 0.4 },
    feedback: "agreement: 0.400\nfaithfulness: does not apply",
  });
  const none = { agreement: { value: null }, faithfulness: { value: null } };
  expect(await scoreOf(judged({ objectives: none }))).toMatchObject({ kind: "not-applicable" });
});

const row = (objectives: Record<string, number>): MetricRow<unknown, Judged> => ({
  value: 0,
  objectives,
  example: { id: "e", input: {}, labels: judged() },
});

test("aggregates the means over the rows, never the rows themselves", () => {
  const rows = [row({ agreement: 0, faithfulness: 1 }), row({ agreement: 1, faithfulness: 0 })];
  // Of each row the harmonic mean is 0.
  expect(metric.aggregate?.(rows)).toBe(0.5);
  expect(metric.aggregate?.([row({ agreement: 1, faithfulness: 0 })])).toBe(0);
});

test("skips rows to which an objective does not apply", () => {
  const rows = [row({ agreement: 0.4, faithfulness: 0.5 }), row({ agreement: 0.6 })];
  expect(metric.aggregate?.(rows)).toBe(0.5);
  expect(metric.aggregate?.([row({ agreement: 0.6 })])).toBe(0.6);
});
