import { expect } from "vitest";
import { examination, supportedBy } from "../support/doctor.ts";
import { test } from "../support/vllm-test.ts";

test("doctor finds an embedder, which does not chat", async ({ embedder }) => {
  const found = await examination(embedder);
  expect(found).toMatchObject({ model: embedder.model, maxModelLength: 512 });
  expect(supportedBy(found)).toEqual(expect.arrayContaining(["embeddings", "tokenize"]));
  expect(found.capabilities.chat.state).toBe("unsupported");
});
