import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomSource } from "../../src/internal/index.ts";
import { ledger } from "../../src/ledger/index.ts";
import { connect } from "../../src/lm/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Answer } from "../support/vllm-server.ts";
import { chat, chatPath, raw, refuse, stall, vllmServer } from "../support/vllm-server.ts";
import { contractAnswer, languageModelContract } from "./language-model.contract.ts";
import { requestOf } from "./requests.ts";

languageModelContract("connect", async () => {
  const server = await vllmServer();
  const folder = await temporaryFolder();
  server.always(chatPath, contractAnswer);
  const lm = connect({
    baseUrl: server.baseUrl,
    model: "test-model",
    cachePath: join(folder.path, "replies.sqlite"),
    ledger: ledger(),
  });
  return {
    lm,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await lm[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
});

const echo = chat(({ body }) => ({ content: `echo of ${body.messages[0].content}` }));

/** Answers truly, but for a seeded share of requests. */
function faulty(share: number): Answer {
  const faults = [stall, refuse(429, "slow"), refuse(500, "no"), raw("<html>"), raw('{"model":')];
  let index = 0;
  return (...given) => {
    const random = randomSource(11, "faults", index++);
    return random.random() < share ? random.choice(faults)(...given) : echo(...given);
  };
}

describe("a connection", () => {
  it("ends 300 concurrent calls with the fault-free replies, though 30 % of requests fail", async () => {
    await using server = await vllmServer();
    await using folder = await temporaryFolder();
    server.always(chatPath, faulty(0.3));
    const book = ledger();
    await using lm = connect({
      baseUrl: server.baseUrl,
      model: "test-model",
      concurrency: 32,
      stallTimeoutMs: 3_000,
      retry: { attempts: 12, baseDelayMs: 5, maxDelayMs: 20 },
      cachePath: join(folder.path, "replies.sqlite"),
      ledger: book,
    });
    // Each text is asked for three times, at the same time: once over the line, twice shared.
    const texts = Array.from({ length: 300 }, (_, index) => `text ${index % 100}`);
    const replies = await Promise.all(texts.map((text) => lm.doGenerate(requestOf(text))));
    expect(replies.map(({ content }) => content)).toEqual(texts.map((text) => `echo of ${text}`));
    expect(server.requests.length).toBeGreaterThan(120);
    expect(server.maxInFlight).toBeLessThanOrEqual(32);
    const { logical, billed } = book.snapshot().total;
    expect([logical.calls, logical.failedCalls, billed.calls]).toEqual([300, 0, 100]);
  });

  it("gives its slot back while it waits to ask again", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"));
    const sent: string[] = [];
    server.always(chatPath, (request, response) => {
      sent.push(request.body.messages[0].content);
      return echo(request, response);
    });
    const { promise: otherDone, resolve } = Promise.withResolvers<void>();
    await using lm = connect({
      baseUrl: server.baseUrl,
      model: "test-model",
      concurrency: 1,
      retry: { clock: { now: () => 0, sleep: () => otherDone } },
    });
    const first = lm.doGenerate(requestOf("first"));
    const second = lm.doGenerate(requestOf("second"));
    await second;
    resolve();
    await first;
    expect(sent).toEqual(["second", "first"]);
  });
});
