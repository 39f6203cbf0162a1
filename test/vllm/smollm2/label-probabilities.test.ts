import { expect } from "vitest";
import { z } from "zod";
import type { LanguageModel } from "espalier";
import { predict, signature, text } from "espalier";
import { lmAt } from "../support/ask.ts";
import { withoutSeed } from "../support/shipped-signatures.ts";
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
  smollm2,
}) => {
  await using lm = lmAt(smollm2);
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

const review = signature({
  name: "review",
  instruction: "Say how the reviewer liked it.",
  input: { review: text("question") },
  output: { mood: z.enum(["positive", "negative"]) },
});

/** How likely the model calls a review positive. */
async function positive(text: string, lm: LanguageModel): Promise<number> {
  const step = predict(review, { probabilities: { mood: {} } });
  const call = { path: "review", predictor: "review" };
  const { trace } = await step.attemptCall({ review: text }, call, { lm });
  return trace.decisions!["mood"]!.probabilities!["positive"]!;
}

const loved = [
  "A wonderful film, I loved every minute.",
  "The best meal I have ever had.",
  "Brilliant acting and a great story.",
  "I am very happy with this phone.",
];
const hated = [
  "Terrible. A waste of time and money.",
  "The room was dirty and the staff was rude.",
  "Boring, slow and badly written.",
  "It broke after one day. I want my money back.",
];

test("what was loved is likelier positive than what was hated", async ({ smollm2, skip }) => {
  skip(!smollm2.isTrained, "no trained weights");
  await using lm = lmAt(smollm2, { concurrency: 8 });
  const ofLoved = await Promise.all(loved.map((text) => positive(text, lm)));
  const ofHated = await Promise.all(hated.map((text) => positive(text, lm)));
  expect(Math.min(...ofLoved)).toBeGreaterThan(0.75);
  expect(Math.max(...ofHated)).toBeLessThan(Math.min(...ofLoved) - 0.25);
});

test("a label is drawn as often as its probability says", async ({ smollm2, skip }) => {
  skip(!smollm2.isTrained, "no trained weights");
  await using lm = lmAt(smollm2, { concurrency: 32, fetch: withoutSeed });
  const mixed = "The story is good and the acting is bad.";
  const drawing = predict(review, { sampling: { temperature: 1 } });
  const drawn = await Promise.all(
    Array.from({ length: 120 }, (_, seed) => drawing.run({ review: mixed }, { lm, seed })),
  );
  const share = drawn.filter(({ mood }) => mood === "positive").length / drawn.length;
  // Four standard deviations of a share of 120 are 0.18 at most.
  expect(Math.abs(share - (await positive(mixed, lm)))).toBeLessThan(0.2);
});
