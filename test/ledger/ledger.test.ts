import { describe, expect, it } from "vitest";
import { cached, withLedger, withRetry } from "../../src/lm/index.ts";
import { ledger } from "../../src/ledger/index.ts";
import { chat, chatPath, refuse, vllmServer } from "../support/vllm-server.ts";
import { contractAnswer, languageModelContract } from "../lm/language-model.contract.ts";
import { clientOf, requestOf } from "../lm/requests.ts";

languageModelContract("withLedger", async () => {
  const server = await vllmServer();
  server.always(chatPath, contractAnswer);
  return {
    lm: withLedger(clientOf(server), ledger()),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

const usage = {
  promptTokens: 10,
  completionTokens: 4,
  cachedPromptTokens: 8,
  reasoningTokens: 1,
};

describe("a ledger", () => {
  it("counts a cached reply as logical only", async () => {
    await using server = await vllmServer();
    const wire = {
      prompt_tokens: 10,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 1 },
    };
    server.always(chatPath, chat({ envelope: { usage: wire } }));
    const book = ledger();
    const lm = withLedger(cached(clientOf(server), new Map()), book);
    for (let time = 0; time < 3; time++) await lm.doGenerate(requestOf("a"));
    await lm.doGenerate(requestOf("b"), { role: "judge" });
    const once = { calls: 1, failedCalls: 0, ...usage };
    const thrice = {
      calls: 3,
      failedCalls: 0,
      promptTokens: 30,
      completionTokens: 12,
      cachedPromptTokens: 24,
      reasoningTokens: 3,
    };
    expect(book.snapshot().byRole).toEqual({
      student: { logical: thrice, billed: once },
      judge: { logical: once, billed: once },
    });
    expect(book.snapshot().total.billed).toMatchObject({ calls: 2, promptTokens: 20 });
  });

  it("counts a call that failed, under its role", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"));
    const book = ledger();
    const lm = withLedger(clientOf(server), book);
    const call = lm.doGenerate(requestOf("a"), { role: "reflection" });
    await expect(call).rejects.toThrow("status 500");
    expect(book.snapshot().byRole.reflection?.logical).toMatchObject({
      calls: 1,
      failedCalls: 1,
      promptTokens: 0,
    });
    expect(book.snapshot().byRole.reflection?.billed.failedCalls).toBe(1);
  });

  it("counts replies whose server did not say how many tokens they took, and what it did say", () => {
    const book = ledger();
    const said = {
      promptTokens: 7,
      completionTokens: 3,
      cachedPromptTokens: 0,
      reasoningTokens: 0,
    };
    book.add("student", said, "server");
    book.add("student", { ...said, completionTokens: null }, "server");
    const counts = { calls: 2, uncountedCalls: 1, promptTokens: 14, completionTokens: 3 };
    expect(book.snapshot().total.billed).toMatchObject(counts);
    const goneOn = ledger(book.snapshot());
    expect(goneOn.snapshot().total.logical).toMatchObject(counts);
  });

  it("counts requests that were sent again, under the role, and only among what was billed", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"), refuse(429, "slow"));
    const book = ledger();
    const retry = { attempts: 3, baseDelayMs: 1 };
    const lm = withLedger(cached(withRetry(clientOf(server), retry), new Map()), book);
    for (let time = 0; time < 2; time++) await lm.doGenerate(requestOf("a"), { role: "judge" });
    expect(book.snapshot().byRole.judge?.billed).toMatchObject({ calls: 1, retries: 2 });
    expect(book.snapshot().byRole.judge?.logical).not.toHaveProperty("retries");

    server.always(chatPath, refuse(500, "no"));
    await expect(lm.doGenerate(requestOf("b"))).rejects.toThrow("status 500");
    expect(book.snapshot().byRole.student?.billed).toMatchObject({ failedCalls: 1, retries: 2 });

    const goneOn = ledger(JSON.parse(JSON.stringify(book.snapshot())));
    goneOn.merge(book.snapshot());
    const { calls, retries } = goneOn.snapshot().total.billed;
    // Each call takes one request; what goes beyond that are retries.
    expect([calls, retries]).toEqual([4, 8]);
    expect(server.requests).toHaveLength(2 + 4);
  });

  it("does not take unknown for zero", () => {
    const book = ledger();
    book.add("student", usage, "server");
    expect(book.snapshot().total.logical.cachedPromptTokens).toBe(8);
    book.add("student", { ...usage, cachedPromptTokens: null }, "server");
    expect(book.snapshot().total.logical.cachedPromptTokens).toBeNull();
    expect(book.snapshot().total.logical.reasoningTokens).toBe(2);
  });

  it("goes on from a snapshot that went through JSON, and adds another's counts", () => {
    const first = ledger();
    first.add("student", usage, "server");
    const second = ledger(JSON.parse(JSON.stringify(first.snapshot())));
    second.add("judge", usage, "cache");
    second.merge(first.snapshot());
    expect(second.snapshot().byRole.student?.billed).toMatchObject({ calls: 2, promptTokens: 20 });
    expect(second.snapshot().byRole.judge?.billed.calls).toBe(0);
    expect(second.snapshot().total.logical.calls).toBe(3);
    expect(first.snapshot().total.logical.calls).toBe(1);
  });
});
