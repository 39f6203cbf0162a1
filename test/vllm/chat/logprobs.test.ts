import { expect } from "vitest";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

const question = request("Is a lighthouse a tower?", { thinking: false, topLogprobs: 5 });

test("each token comes with its log-probability and the likeliest others", async ({ chat }) => {
  await using lm = lmAt(chat);
  const { logprobs, usage } = await lm.doGenerate(question);
  expect(logprobs).toHaveLength(usage.completionTokens!);
  for (const { token, logprob, top } of logprobs!) {
    expect(top).toHaveLength(5);
    expect(top.map((other) => other.logprob)).toEqual(
      top.map((other) => other.logprob).toSorted((one, other) => other - one),
    );
    // Greedy: the token is the likeliest of them.
    expect({ token, logprob }).toEqual(top[0]);
    expect(top.reduce((sum, other) => sum + Math.exp(other.logprob), 0)).toBeLessThanOrEqual(1.001);
  }
});

test("a stream brings the same log-probabilities as a whole reply", async ({ chat }) => {
  await using lm = lmAt(chat);
  const { logprobs } = await lm.doGenerate(question);
  const streamed = await lm.doGenerate(question, { onDelta: () => undefined });
  expect(streamed.logprobs).toEqual(logprobs);
});
