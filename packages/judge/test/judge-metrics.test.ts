import { expect, test } from "vitest";
import { faithfulness } from "../src/index.ts";
import { judgedRun, traceOf } from "../../../test/metric/support/judged-run.ts";
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
