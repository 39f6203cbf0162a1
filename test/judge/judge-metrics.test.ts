import { expect, test } from "vitest";
import { faithfulness, rbAgg, responseRating } from "espalier/judge";
import { rbAggOf } from "espalier/metric";
import { judgedRun, traceOf } from "../metric/support/judged-run.ts";
import { judgingLm, passages } from "./support.ts";

const sides = {
  question: "question",
  answer: "answer",
  passages: "passages",
  answering: ["write", "writeInPart"],
} as const;
const output = { answer: "It was finished in 1902. The town paid.", passages };
const reference = "It was finished in 1902.";
const run = {
  ...judgedRun(output, { reference }, traceOf("write")),
  example: { id: "e", input: { question: "When?" }, labels: { reference } },
};

test("faithfulness tells the writer what the passages do not support", async () => {
  await using server = await judgingLm({
    "list-statements": { statements: ["Finished in 1902.", "The town paid."] },
    "check-statements": {
      verdicts: [
        { number: 1, reason: "It says so.", isSupported: true },
        { number: 2, reason: "The brewery paid.", isSupported: false },
      ],
    },
  });
  expect(await faithfulness(sides).doScore({ ...run, lm: server.lm })).toMatchInlineSnapshot(`
    {
      "blame": [
        {
          "path": "write",
          "score": 0.5,
          "text": "1 of 2 statements are supported by the passages.
    Not supported: The town paid. (The brewery paid.)",
        },
      ],
      "feedback": "1 of 2 statements are supported by the passages.
    Not supported: The town paid. (The brewery paid.)",
      "kind": "scored",
      "value": 0.5,
    }
  `);
});

test("faithfulness does not apply to a response without statements", async () => {
  await using server = await judgingLm({ "list-statements": { statements: [] } });
  const metric = faithfulness({ ...sides, lm: server.lm });
  expect(await metric.doScore(run)).toMatchObject({ kind: "not-applicable" });
});

test("a rating needs a reference, and hands on what the judge wrote", async () => {
  await using server = await judgingLm({ "rate-response": { judgement: "Fine.\nRating: [[9]]" } });
  const metric = responseRating({ ...sides, reference: "reference", lm: server.lm });
  expect(await metric.doScore(run)).toMatchObject({
    value: 0.9,
    blame: [{ path: "write", score: 0.9, text: "A judge wrote: Fine.\nRating: [[9]]" }],
  });
  const unreferenced = { ...run, example: { ...run.example, labels: {} } };
  expect(await metric.doScore(unreferenced)).toMatchObject({ kind: "not-applicable" });
});

test("a run that failed is 0 beside a reference, and is not looked at without one", () => {
  const failure = { kind: "format", code: "output-empty", message: "Empty." } as const;
  const agreement = {
    name: "fixed",
    version: "7",
    doCompare: async () => ({ bertRecall: 0.3, bertPrecisions: [0.2] }),
  };
  const { question: _question, ...rest } = sides;
  for (const { scoreFormatFailure } of [
    rbAgg({ ...rest, reference: "reference", agreement }),
    responseRating({ ...sides, reference: "reference" }),
  ]) {
    expect(scoreFormatFailure(failure, run.example)).toMatchObject({ value: 0 });
    const unreferenced = { ...run.example, labels: { reference: " " } };
    expect(scoreFormatFailure(failure, unreferenced)).toMatchObject({ kind: "not-applicable" });
  }
});

test("RB_agg is put together from a service's scores", async () => {
  const agreement = {
    name: "fixed",
    version: "7",
    doCompare: async () => ({ bertRecall: 0.3, bertPrecisions: [0.2, 0.5] }),
  };
  const { question: _question, ...rest } = sides;
  const metric = rbAgg({ ...rest, reference: "reference", agreement });
  expect(metric.version).toBe("1-fixed-7");
  // 5 of 5 reference tokens in order among 8.
  const rougeL = (2 * (5 / 8) * 1) / (5 / 8 + 1);
  const expected = rbAggOf({ bertRecall: 0.3, tokenRecall: 1, rougeL, bertPrecisions: [0.5] });
  expect(await metric.doScore(run)).toMatchObject({ value: expected });
});
