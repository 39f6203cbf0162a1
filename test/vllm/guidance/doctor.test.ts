import { expect } from "vitest";
import { examination, supportedBy } from "../support/doctor.ts";
import { test } from "../support/vllm-test.ts";

test("doctor finds thinking and its switch", async ({ guidance }) => {
  const found = await examination(guidance);
  expect(found).toMatchObject({
    models: [guidance.model, "tiny-lora"],
    maxModelLength: 16_384,
    thinkingTemplate: "enableThinking",
  });
  expect(supportedBy(found)).toEqual(
    expect.arrayContaining(["chat", "reasoning", "thinkingSwitch", "jsonSchema", "choice"]),
  );
  expect(found.capabilities.prefixCaching.evidence).toContain("cached_tokens");
});

test("doctor examines an adapter", async ({ guidance }) => {
  const found = await examination(guidance, "tiny-lora");
  expect(supportedBy(found)).toEqual(expect.arrayContaining(["chat", "logprobs", "tokenize"]));
});
