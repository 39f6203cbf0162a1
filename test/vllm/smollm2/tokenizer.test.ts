import { connectTokenizer } from "espalier/lm";
import { expect } from "vitest";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

// This tokenizer has a token for each digit.
test("counts are of the text alone, without special tokens", async ({ smollm2 }) => {
  const tokenizer = connectTokenizer(smollm2);
  const texts = ["yes", "", "1871", "yes 1871", "Ünï 😀"];
  const [yes, empty, year, both, other] = await tokenizer.countTokens(texts);
  expect([yes, empty, year]).toEqual([1, 0, 4]);
  expect(both).toBeGreaterThanOrEqual(5);
  expect(other).toBeGreaterThan(3);
});

test("text added to a prompt adds its count to the usage", async ({ smollm2 }) => {
  await using lm = lmAt(smollm2);
  const added = " The river floods in spring, and trains run on time.";
  const [count] = await connectTokenizer(smollm2).countTokens([added]);
  const promptTokens = async (content: string): Promise<number> =>
    (await lm.doGenerate(request(content, { maxCompletionTokens: 1 }))).usage.promptTokens!;
  expect((await promptTokens(`Go.${added}`)) - (await promptTokens("Go."))).toBe(count);
});
