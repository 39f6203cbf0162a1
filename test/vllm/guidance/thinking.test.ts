import type { LmDelta } from "espalier";
import { expect } from "vitest";
import { z } from "zod";
import { lmAt, request } from "../support/ask.ts";
import { attempted, leaningTo, oneStep } from "../support/one-step.ts";
import { test } from "../support/vllm-test.ts";

const question = "How far is the sea?";

test("thoughts come apart from the answer, and their tokens are counted", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const { reasoning, content, usage } = await lm.doGenerate(
    request(question, { thinking: true, maxCompletionTokens: 400 }),
  );
  expect(reasoning).toMatch(/\S/);
  expect(`${reasoning}${content}`).not.toContain("</think>");
  expect(usage.reasoningTokens).toBeGreaterThan(0);
  expect(usage.reasoningTokens).toBeLessThanOrEqual(usage.completionTokens!);
});

test("streamed thoughts and answer add up to the whole ones", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const asked = request(question, { thinking: true, maxCompletionTokens: 400 });
  const deltas: LmDelta[] = [];
  const streamed = await lm.doGenerate(asked, { onDelta: (delta) => deltas.push(delta) });
  expect(deltas.map(({ reasoning = "" }) => reasoning).join("")).toBe(streamed.reasoning);
  expect(deltas.map(({ content = "" }) => content).join("")).toBe(streamed.content ?? "");
  const whole = await lm.doGenerate(asked);
  expect(streamed.reasoning).toBe(whole.reasoning);
  expect(streamed.usage.completionTokens).toBe(whole.usage.completionTokens);
});

test("a request without thinking has no thoughts", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const { reasoning, content } = await lm.doGenerate(request(question, { thinking: false }));
  expect(reasoning).toBeNull();
  expect(content).toMatch(/\S/);
});

test("a budget spent on thoughts leaves no content", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const { content, reasoning, finishReason } = await lm.doGenerate(
    request(question, { thinking: true, maxCompletionTokens: 2 }),
  );
  expect({ content, finishReason }).toEqual({ content: null, finishReason: "length" });
  expect(reasoning).toMatch(/\S/);
});

test("a schema binds the answer and not the thoughts", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const thinker = await leaningTo(["</think>"], lm, guidance);
  const { attempt, replies } = await attempted(oneStep(z.enum(["one", "two"]), 60), {
    identity: lm.identity,
    doGenerate: (asked, options) => thinker.doGenerate({ ...asked, thinking: true }, options),
  });
  expect(attempt).toMatchObject({ state: "completed" });
  expect(replies[0]?.content).toMatch(/^\{"field":/);
});
