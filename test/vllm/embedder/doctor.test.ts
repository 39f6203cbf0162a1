import { expect } from "vitest";
import { examination, supportedBy } from "../support/doctor.ts";
import { test } from "../support/vllm-test.ts";

test("doctor finds an embedder, which does not chat", async ({ minilm }) => {
  const found = await examination(minilm);
  expect(found).toMatchObject({
    model: minilm.model,
    maxModelLength: minilm.isTrained ? 256 : 512,
  });
  expect(supportedBy(found)).toEqual(expect.arrayContaining(["embeddings", "tokenize"]));
  expect(found.capabilities.chat.state).toBe("unsupported");
});
