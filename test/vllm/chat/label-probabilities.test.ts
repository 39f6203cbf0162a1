import { expect } from "vitest";
import { z } from "zod";
import { predict, signature, text } from "espalier";
import { lmAt } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

const judge = signature({
  name: "judge",
  instruction: "Judge whether a lighthouse is a tower.",
  input: { question: text("question") },
  output: {
    label: z.enum(["UNANSWERABLE", "UNKNOWN", "ANSWERABLE"]),
    isSure: z.boolean(),
  },
});

test("a constrained reply says how likely each label is, in tokens of the model", async ({
  chat,
}) => {
  await using lm = lmAt(chat);
  const step = predict(judge, {
    thinking: false,
    probabilities: { label: {}, isSure: {} },
    sampling: { maxCompletionTokens: 400 },
  });
  const call = { path: "judge", predictor: "judge" };
  const { trace } = await step.attemptCall({ question: "Is it?" }, call, { lm });
  expect(trace.failure).toBeUndefined();
  const { label, isSure } = trace.decisions ?? {};
  expect(label).toMatchObject({ source: "logprobs", written: trace.outputs?.["label"] });
  expect(isSure).toMatchObject({ source: "logprobs", written: trace.outputs?.["isSure"] });
  for (const { written, probabilities } of [label!, isSure!]) {
    const all = Object.values(probabilities ?? {});
    expect(all.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 9);
    // A greedy reply took a token of this label, among those that the schema allows.
    expect(probabilities?.[String(written)]).toBeGreaterThan(0);
  }
});
