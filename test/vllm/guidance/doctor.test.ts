import { expect } from "vitest";
import { examination, supportedBy } from "../support/doctor.ts";
import { vllmTest } from "../support/vllm-test.ts";

vllmTest("doctor finds thinking and its switch", async ({ guidance }) => {
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

vllmTest("doctor examines an adapter", async ({ guidance }) => {
  const found = await examination(guidance, "tiny-lora");
  expect(supportedBy(found)).toEqual(expect.arrayContaining(["chat", "logprobs", "tokenize"]));
});
