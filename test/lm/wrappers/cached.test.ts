import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cached, diskCache, withRetry } from "../../../src/lm/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { Answer } from "../../support/vllm-server.ts";
import { chat, chatPath, json, refuse, vllmServer } from "../../support/vllm-server.ts";
import { contractAnswer, languageModelContract } from "../language-model.contract.ts";
import { clientOf, requestOf, until } from "../requests.ts";

languageModelContract("cached", async () => {
  const server = await vllmServer();
  const folder = await temporaryFolder();
  const cache = diskCache(join(folder.path, "replies.sqlite"));
  server.always(chatPath, contractAnswer);
  return {
    lm: cached(clientOf(server), cache),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await cache[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
});

/** Answers when told to. */
function held(): { readonly answer: Answer; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { answer: (...given) => promise.then(() => chat({})(...given)), release: resolve };
}

describe("a cached language model", () => {
  it("asks once for what is asked twice", async () => {
    await using server = await vllmServer();
    const lm = cached(clientOf(server), new Map());
    const first = await lm.doGenerate(requestOf("a"));
    const second = await lm.doGenerate(requestOf("a"));
    expect(server.requests).toHaveLength(1);
    expect(first.source).toBe("server");
    expect(second).toEqual({ ...first, source: "cache" });
  });

  it("asks again when any part of the call differs", async () => {
    await using server = await vllmServer();
    const lm = cached(clientOf(server), new Map());
    const base = requestOf("a");
    await lm.doGenerate(base);
    await lm.doGenerate({ ...base, seed: 4 });
    await lm.doGenerate({ ...base, thinking: false });
    await lm.doGenerate({ ...base, sampling: { ...base.sampling, temperature: 1 } });
    await lm.doGenerate({ ...base, responseSchema: { name: "a", schema: {} } });
    await lm.doGenerate({ ...base, extraBody: { priority: 1 } });
    await lm.doGenerate(base, { repetition: 1 });
    expect(server.requests).toHaveLength(7);
  });

  it("does not mind the order of keys, nor who asks", async () => {
    await using server = await vllmServer();
    const lm = cached(clientOf(server), new Map());
    const { messages, sampling, seed } = requestOf("a");
    await lm.doGenerate({ messages, sampling, seed }, { role: "student", exampleId: "1" });
    await lm.doGenerate({ seed, sampling, messages }, { role: "judge", exampleId: "2" });
    expect(server.requests).toHaveLength(1);
  });

  it("makes one request of identical calls in flight, and bills one", async () => {
    await using server = await vllmServer();
    const { answer, release } = held();
    server.script(chatPath, answer);
    const lm = cached(clientOf(server), new Map());
    const calls = Array.from({ length: 5 }, () => lm.doGenerate(requestOf("a")));
    await until(() => server.requests.length > 0);
    release();
    const replies = await Promise.all(calls);
    expect(server.requests).toHaveLength(1);
    expect(replies.map(({ source }) => source)).toEqual(["server", ...Array(4).fill("cache")]);
  });

  it("lets one caller give up without harm to the others", async () => {
    await using server = await vllmServer();
    const { answer, release } = held();
    server.script(chatPath, answer);
    const lm = cached(clientOf(server), new Map());
    const controller = new AbortController();
    const first = lm.doGenerate(requestOf("a"), { signal: controller.signal });
    const second = lm.doGenerate(requestOf("a"), { signal: new AbortController().signal });
    await until(() => server.requests.length > 0);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    release();
    expect((await second).content).toBe("hello there");
  });

  it("waits as long as the server asks where one of the callers has the time", async () => {
    await using server = await vllmServer();
    const { promise: allAsk, resolve } = Promise.withResolvers<void>();
    const later = json({ error: { message: "later" } }, 429, { "retry-after": "5" });
    server.script(chatPath, (...given) => allAsk.then(() => later(...given)));
    const slept: number[] = [];
    const clock = {
      now: () => 0,
      sleep: async (milliseconds: number) => void slept.push(milliseconds),
    };
    const lm = cached(withRetry(clientOf(server), { clock }), new Map());
    const signal = (): AbortSignal => new AbortController().signal;
    const hurried = lm.doGenerate(requestOf("a"), { signal: signal(), timeLeftMs: () => 1_000 });
    const patient = lm.doGenerate(requestOf("a"), { signal: signal(), timeLeftMs: () => 60_000 });
    await until(() => server.requests.length > 0);
    resolve();
    expect((await patient).content).toBe("hello there");
    expect((await hurried).content).toBe("hello there");
    expect(slept).toHaveLength(1);
    expect(slept[0]).toBeGreaterThanOrEqual(5_000);
  });

  it("waits no longer than those who are left have time", async () => {
    await using server = await vllmServer();
    const { promise: oneLeft, resolve } = Promise.withResolvers<void>();
    const later = json({ error: { message: "later" } }, 429, { "retry-after": "5" });
    server.script(chatPath, (...given) => oneLeft.then(() => later(...given)));
    const lm = cached(withRetry(clientOf(server)), new Map());
    const { signal } = new AbortController();
    const controller = new AbortController();
    const hurried = lm.doGenerate(requestOf("a"), { signal, timeLeftMs: () => 1_000 });
    const patient = lm.doGenerate(requestOf("a"), { signal: controller.signal });
    await until(() => server.requests.length > 0);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(patient).rejects.toBe(reason);
    resolve();
    await expect(hurried).rejects.toMatchObject({ code: "lm-rate-limited" });
    expect(server.requests).toHaveLength(1);
  });

  it("stops the request when the last caller gives up, and asks anew afterwards", async () => {
    await using server = await vllmServer();
    server.script(chatPath, held().answer);
    const lm = cached(clientOf(server), new Map());
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) => lm.doGenerate(requestOf("a"), { signal }));
    await until(() => server.requests.length > 0);
    for (const controller of controllers) controller.abort();
    expect(await Promise.allSettled(calls)).toMatchObject([
      { status: "rejected" },
      { status: "rejected" },
    ]);
    await server.requests[0]?.aborted;
    expect((await lm.doGenerate(requestOf("a"))).source).toBe("server");
  });

  it("never keeps an error", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"));
    const cache = new Map();
    const lm = cached(clientOf(server), cache);
    await expect(lm.doGenerate(requestOf("a"))).rejects.toMatchObject({ code: "lm-server-error" });
    expect(cache.size).toBe(0);
    expect((await lm.doGenerate(requestOf("a"))).source).toBe("server");
  });

  it("keeps a reply that was cut off, being what the model says", async () => {
    await using server = await vllmServer();
    server.script(chatPath, chat({ content: "endl", finishReason: "length" }));
    const lm = cached(clientOf(server), new Map());
    await lm.doGenerate(requestOf("a"));
    expect(await lm.doGenerate(requestOf("a"))).toMatchObject({
      content: "endl",
      finishReason: "length",
      source: "cache",
    });
  });

  it("hands a kept reply to a stream in one piece", async () => {
    await using server = await vllmServer();
    const lm = cached(clientOf(server), new Map());
    await lm.doGenerate(requestOf("a"));
    const deltas: unknown[] = [];
    await lm.doGenerate(requestOf("a"), { onDelta: (delta) => deltas.push(delta) });
    expect(deltas).toEqual([{ content: "hello there" }]);
  });
});
