import { serverInfo } from "espalier/lm";
import { expect } from "vitest";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

const asked = request("What is a lighthouse?", { thinking: false });

test("an adapter answers under its own name, and differently", async ({ guidance }) => {
  await using base = lmAt(guidance);
  await using adapted = lmAt({ ...guidance, model: "tiny-lora" });
  const [plain, other] = [await base.doGenerate(asked), await adapted.doGenerate(asked)];
  expect([plain.model, other.model]).toEqual([guidance.model, "tiny-lora"]);
  expect(other.content).toMatch(/\S/);
  expect(other.content).not.toBe(plain.content);
});

test("an adapter is among the models offered", async ({ guidance }) => {
  const { root: _, ...server } = guidance;
  const { models } = await serverInfo({ ...server, model: "tiny-lora" });
  expect(models.map(({ id }) => id)).toEqual([guidance.model, "tiny-lora"]);
  expect(models[0]?.maxModelLength).toBe(16_384);
});

// Its card says `null`, and names the base model as its parent.
test("an adapter has the context of its base model", async ({ guidance }) => {
  const { models } = await serverInfo({ ...guidance, model: "tiny-lora" });
  expect(models[1]?.maxModelLength).toBe(16_384);
});
