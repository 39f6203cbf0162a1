import type { LmDelta } from "espalier";
import { expect } from "vitest";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

const question = request("What is a lighthouse?", { thinking: false });

test("a whole reply has text, usage, the model's name and a reason for its end", async ({
  chat,
}) => {
  await using lm = lmAt(chat);
  const reply = await lm.doGenerate(question);
  expect(reply).toMatchObject({ model: chat.model, source: "server", reasoning: null });
  expect(reply.content).toMatch(/\S/);
  const { promptTokens, completionTokens } = reply.usage;
  expect(promptTokens).toBeGreaterThan(10);
  expect(completionTokens).toBeGreaterThan(0);
  expect(completionTokens).toBeLessThanOrEqual(40);
  expect(reply.finishReason).toBe(completionTokens === 40 ? "length" : "stop");
});

test("a streamed reply arrives in pieces and equals the whole one", async ({ chat }) => {
  await using lm = lmAt(chat);
  const deltas: LmDelta[] = [];
  const streamed = await lm.doGenerate(question, { onDelta: (delta) => deltas.push(delta) });
  const whole = await lm.doGenerate(question);
  expect(deltas.length).toBeGreaterThan(1);
  expect(deltas.map(({ content = "" }) => content).join("")).toBe(streamed.content);
  expect(streamed).toEqual({ ...whole, latencyMs: expect.any(Number) });
});

test("a budget of one token ends the reply with `length`", async ({ chat }) => {
  await using lm = lmAt(chat);
  const { finishReason, usage } = await lm.doGenerate(
    request("Go on.", { thinking: false, maxCompletionTokens: 1 }),
  );
  expect({ finishReason, tokens: usage.completionTokens }).toEqual({
    finishReason: "length",
    tokens: 1,
  });
});

test("a stop string ends the reply and is not part of it", async ({ chat }) => {
  await using lm = lmAt(chat);
  const { content } = await lm.doGenerate(question);
  const stop = content!.slice(5, 8);
  const stopped = await lm.doGenerate({
    ...question,
    // Before `min_tokens`, vLLM looks for no stop string.
    extraBody: {},
    sampling: { ...question.sampling, stop: [stop] },
  });
  expect(stopped.content).toBe(content!.slice(0, content!.indexOf(stop)));
  expect(stopped.finishReason).toBe("stop");
});
