import { expect } from "vitest";
import { examination, supportedBy } from "../support/doctor.ts";
import { test } from "../support/vllm-test.ts";

test("doctor finds a reranker, which neither chats nor embeds", async ({ reranker }) => {
  const found = await examination(reranker);
  expect(found).toMatchObject({ model: reranker.model, maxModelLength: 512 });
  expect(supportedBy(found)).toEqual(expect.arrayContaining(["rerank", "score", "tokenize"]));
  expect(found.capabilities.chat.state).toBe("unsupported");
});
