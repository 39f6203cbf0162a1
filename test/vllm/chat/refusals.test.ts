import { connectTokenizer, serverInfo } from "espalier/lm";
import { expect } from "vitest";
import { thrownBy } from "../../support/thrown-by.ts";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

test("an unknown model is named, with the models that there are", async ({ chat }) => {
  const wrong = { ...chat, model: "nobody" };
  await using lm = lmAt(wrong);
  const refused = await thrownBy(() => lm.doGenerate(request("Hello?")));
  expect(refused.code).toBe("lm-not-found");
  expect(refused.message).toContain("nobody");
  const unlisted = await thrownBy(() => serverInfo(wrong));
  expect(unlisted.code).toBe("lm-not-found");
  expect(unlisted.message).toContain(chat.model);
});

test("a server without a parser of calls refuses tools, and says what to do", async ({ chat }) => {
  await using lm = lmAt(chat);
  const parameters = { type: "object", properties: {}, additionalProperties: false };
  const tools = [{ name: "ring", description: "Rings a bell.", parameters }];
  const refused = await thrownBy(() => lm.doGenerate({ ...request("Ring it."), tools }));
  expect(refused.code).toBe("lm-request-refused");
  expect(refused.message).toContain("--enable-auto-tool-choice");
  expect(refused.message).toContain('calls: "json"');
});

test("a prompt beyond the context is a context overflow, whole and streamed", async ({ chat }) => {
  await using lm = lmAt(chat);
  const tooLong = request("word ".repeat(9000));
  for (const options of [{}, { onDelta: () => undefined }]) {
    const error = await thrownBy(() => lm.doGenerate(tooLong, options));
    expect(error.code).toBe("lm-context-overflow");
  }
});

// vLLM refuses it with "max_tokens must be at least 1, got 0".
test("a prompt that fills the context exactly is a context overflow", async ({ chat }) => {
  await using lm = lmAt(chat);
  const { usage } = await lm.doGenerate(request("x", { maxCompletionTokens: 1 }));
  const [perWord] = await connectTokenizer(chat).countTokens([" word"]);
  expect(perWord).toBe(1);
  // " word" begins with another token than "x" ends with, so the counts add up.
  const content = `x${" word".repeat(8192 - usage.promptTokens!)}`;
  const error = await thrownBy(() => lm.doGenerate(request(content)));
  expect(error.code).toBe("lm-context-overflow");
});
