import { expect, it } from "vitest";
import { defaultSampling } from "../../../src/contract/index.ts";
import { atMostTokens } from "../../../src/lm/files.ts";
import { predict, signature, text } from "espalier";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const request = {
  messages: [{ role: "user", content: "Hi." }],
  sampling: defaultSampling,
  seed: 0,
};

it("a cap holds for a program's calls that ask for more, not for judges and reflection", async () => {
  await using server = await scriptedLm(() => "Hello.");
  const lm = atMostTokens(server.lm, 50);
  expect(lm.identity.model).toBe(`${server.lm.identity.model}, at most 50 tokens`);
  const few = { ...request, sampling: { ...defaultSampling, maxCompletionTokens: 20 } };
  const replies = [
    await lm.doGenerate(request as never),
    await lm.doGenerate(request as never, { role: "teacher" }),
    await lm.doGenerate(few as never),
    await lm.doGenerate(request as never, { role: "judge" }),
    await lm.doGenerate(request as never, { role: "reflection" }),
  ];
  const asked = server.received.map((one) => one.max_completion_tokens);
  expect(asked).toEqual([50, 50, 20, 4_096, 4_096]);
  const caps = replies.map((one) => one.maxCompletionTokens);
  expect(caps).toEqual([50, 50, undefined, undefined, undefined]);
});

it("a reply that ends at it was cut off by it, not by a full context", async () => {
  const body = JSON.stringify({
    model: "m",
    choices: [{ index: 0, message: { content: '{"a' }, finish_reason: "length" }],
    usage: { prompt_tokens: 10, completion_tokens: 50, total_tokens: 60 },
  });
  await using server = await scriptedLm(() => ({ body }));
  const step = predict(
    signature({
      name: "say",
      instruction: "Say.",
      input: { question: text("question") },
      output: { answer: text("answer") },
    }),
    { corrections: 0 },
  );
  const error = await thrownBy(() =>
    step.run({ question: "?" }, { lm: atMostTokens(server.lm, 50) }),
  );
  expect(error.code).toBe("output-truncated");
  expect(error.message).toContain("a complete reply within 50 tokens");
});
