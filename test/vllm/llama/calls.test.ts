import { expect } from "vitest";
import { z } from "zod";
import { lmAt, request } from "../support/ask.ts";
import { attempted, oneStep } from "../support/one-step.ts";
import { test } from "../support/vllm-test.ts";

test("a model without thinking answers alike, asked to think or not", async ({ llama }) => {
  await using lm = lmAt(llama);
  const [thinking, plain] = await Promise.all(
    [true, false].map((thinking) => lm.doGenerate(request("What is a mill?", { thinking }))),
  );
  expect(thinking).toEqual({ ...plain, latencyMs: expect.any(Number) });
  expect(plain).toMatchObject({ model: llama.model, reasoning: null });
});

test("a streamed reply equals the whole one", async ({ llama }) => {
  await using lm = lmAt(llama);
  const asked = request("Where do trains run?");
  const pieces: string[] = [];
  const streamed = await lm.doGenerate(asked, {
    onDelta: ({ content = "" }) => pieces.push(content),
  });
  const whole = await lm.doGenerate(asked);
  expect(pieces.join("")).toBe(streamed.content);
  expect(streamed).toEqual({ ...whole, latencyMs: expect.any(Number) });
});

test("a choice is one of the values", async ({ llama }) => {
  await using lm = lmAt(llama);
  const { attempt } = await attempted(oneStep(z.enum(["cloud", "sea", "é"])), lm);
  expect(attempt).toMatchObject({ state: "completed" });
});
