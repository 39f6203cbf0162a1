import { expect } from "vitest";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

test("a model without thinking answers alike, asked to think or not", async ({ smollm2 }) => {
  await using lm = lmAt(smollm2);
  // One after the other: sums of a batch of both round differently.
  const thinking = await lm.doGenerate(request("What is a mill?", { thinking: true }));
  const plain = await lm.doGenerate(request("What is a mill?", { thinking: false }));
  expect(thinking).toEqual({ ...plain, latencyMs: expect.any(Number) });
  expect(plain).toMatchObject({ model: smollm2.model, reasoning: null });
});

test("a streamed reply equals the whole one", async ({ smollm2 }) => {
  await using lm = lmAt(smollm2);
  const asked = request("Where do trains run?");
  const pieces: string[] = [];
  const streamed = await lm.doGenerate(asked, {
    onDelta: ({ content = "" }) => pieces.push(content),
  });
  const whole = await lm.doGenerate(asked);
  expect(pieces.join("")).toBe(streamed.content);
  expect(streamed).toEqual({ ...whole, latencyMs: expect.any(Number) });
});

test("a question of the textbook gets its answer", async ({ smollm2, skip }) => {
  skip(!smollm2.isTrained, "no trained weights");
  await using lm = lmAt(smollm2);
  const { content, finishReason } = await lm.doGenerate(
    request("What is the capital of France? Answer in one word.", { extraBody: {} }),
  );
  expect(content).toMatch(/\bParis\b/);
  expect(finishReason).toBe("stop");
});
