import { expect } from "vitest";
import { lmAt } from "../support/ask.ts";
import { drawReplies, withoutSeed } from "../support/shipped-signatures.ts";
import { test } from "../support/vllm-test.ts";

test("replies of all shipped signatures parse, unless the token limit cuts them off", async ({
  chat,
}) => {
  await using lm = lmAt(chat, { concurrency: 16, retry: {}, fetch: withoutSeed });
  const { replies, cutOff, invalid, unparseable } = await drawReplies(lm, 5);
  expect(unparseable).toEqual([]);
  expect(replies).toBeGreaterThanOrEqual(200);
  expect(cutOff + invalid).toBeLessThan(replies);
});
