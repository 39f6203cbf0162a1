import type { LanguageModel, LmReply, LmRequest } from "espalier";
import { expect, test } from "vitest";
import { tokenMeter } from "../../../src/serve/answer/token-meter.ts";

const request = { messages: [{ role: "user", content: "12345678" }] } as unknown as LmRequest;
const reply = { usage: { promptTokens: 10, completionTokens: 5 } } as unknown as LmReply;

/** An LM whose call ends when it is told to, whatever its signal says. */
function deafLm() {
  const { promise, resolve, reject } = Promise.withResolvers<LmReply>();
  const lm: LanguageModel = {
    identity: { provider: "test", model: "deaf" },
    doGenerate: (_, options) => {
      options?.onDelta?.({ content: "abc", reasoning: "def" });
      return promise;
    },
  };
  return { lm, answer: () => resolve(reply), fail: () => reject(new Error("gone")) };
}

test("a call that passes over its end counts an estimate, and later only what goes beyond it", async () => {
  const spent: number[] = [];
  const meter = tokenMeter((tokens) => spent.push(tokens));
  const { lm, answer } = deafLm();
  const call = meter.metered(lm).doGenerate(request, { onDelta: () => undefined });
  meter.settle();
  expect(spent).toEqual([4]);
  answer();
  await call;
  meter.settle();
  expect(spent).toEqual([4, 11]);
});

test("a call that broke off in its reply counts once, and one that never was sent counts nothing", async () => {
  const spent: number[] = [];
  const meter = tokenMeter((tokens) => spent.push(tokens));
  const { lm, fail } = deafLm();
  const call = meter.metered(lm).doGenerate(request, { onDelta: () => undefined });
  meter.settle();
  const unsent = meter.metered(lm).doGenerate(request, { signal: AbortSignal.abort() });
  fail();
  await expect(call).rejects.toThrow("gone");
  await expect(unsent).rejects.toThrow("gone");
  expect(spent).toEqual([4]);
});
