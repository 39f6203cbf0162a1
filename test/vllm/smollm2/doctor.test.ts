import { expect } from "vitest";
import { examination, supportedBy } from "../support/doctor.ts";
import { test } from "../support/vllm-test.ts";

test("doctor finds a model without thinking", async ({ smollm2 }) => {
  const found = await examination(smollm2);
  expect(found).toMatchObject({ model: smollm2.model, maxModelLength: 4096, dialect: "vllm" });
  expect(supportedBy(found)).toEqual(
    expect.arrayContaining(["chat", "jsonSchema", "choice", "logprobs", "tokenize"]),
  );
  expect(found.capabilities.reasoning.state).not.toBe("supported");
});
