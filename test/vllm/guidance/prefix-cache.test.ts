import { expect } from "vitest";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

test("a prompt sent again is read from the server's prefix cache", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const asked = request(`Sort these. ${"A lighthouse stands on the rock. ".repeat(100)}`, {
    thinking: false,
    maxCompletionTokens: 1,
  });
  await lm.doGenerate(asked);
  const { usage } = await lm.doGenerate(asked);
  expect(usage.cachedPromptTokens).toBeGreaterThan(usage.promptTokens! / 2);
  expect(usage.cachedPromptTokens).toBeLessThan(usage.promptTokens!);
});
