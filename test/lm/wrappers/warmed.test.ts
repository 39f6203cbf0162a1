import { describe, expect, it } from "vitest";
import { connect, examineServer, keepExamination } from "../../../src/lm/index.ts";
import type { LmRequest } from "../../../src/contract/index.ts";
import { serveRehearsal } from "../../../src/rehearsal/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chat, chatPath, refuse, stall, vllmServer } from "../../support/vllm-server.ts";
import { requestOf } from "../requests.ts";

const rules = "Answer in one word, in lower case, without a full stop. ".repeat(12);

const asked = (question: string, system = rules): LmRequest => ({
  ...requestOf(question),
  messages: [
    { role: "system", content: system },
    { role: "user", content: question },
  ],
});

const questions = Array.from({ length: 12 }, (_, number) => `What is number ${number}?`);

describe("a warm-up", () => {
  it("lets simultaneous requests hit a prefix cache that they would all have missed", async () => {
    const cachedTokens = async (warmUp: boolean): Promise<number[]> => {
      await using server = await serveRehearsal({ reportsCachedTokens: true, latencyMs: 1_000 });
      const { url } = server;
      await using lm = connect({
        baseUrl: `${url}/v1`,
        model: "rehearsal",
        concurrency: 12,
        examinationsFolder: null,
        warmUp,
      });
      const replies = await Promise.all(questions.map((text) => lm.doGenerate(asked(text))));
      return replies.map(({ usage }) => usage.cachedPromptTokens ?? 0);
    };
    expect(await cachedTokens(false)).toEqual(questions.map(() => 0));
    const [leader = 0, ...followers] = await cachedTokens(true);
    expect(leader).toBe(0);
    // The system message has some 150 tokens: all of its full blocks are there.
    for (const tokens of followers) expect(tokens).toBeGreaterThanOrEqual(128);
  });

  it("waits for the first token, not for the end, where the server streams its usage", async () => {
    await using folder = await temporaryFolder();
    await using server = await serveRehearsal({ reportsCachedTokens: true });
    const address = { baseUrl: `${server.url}/v1`, model: "rehearsal" };
    const examinedAt = "2026-11-21T12:00:00.000Z";
    await keepExamination(await examineServer({ ...address, examinedAt }), folder.path);
    const asks: unknown[] = [];
    await using lm = connect({
      ...address,
      examinationsFolder: folder.path,
      fetch: (input, init) => {
        asks.push(JSON.parse(init?.body as string).stream ?? false);
        return fetch(input, init);
      },
    });
    await Promise.all(questions.map((text) => lm.doGenerate(asked(text))));
    // Nobody asked for it: the examination found the cache and the usage.
    expect(asks).toEqual([true, ...questions.slice(1).map(() => false)]);
  });

  it("holds back nobody for good: a first request that fails or is given up hands on", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(400, "bad"), stall);
    server.always(chatPath, chat({}));
    const options = { baseUrl: server.baseUrl, model: "test-model", examinationsFolder: null };
    await using lm = connect({ ...options, warmUp: true });
    const giveUp = new AbortController();
    const waiting = new AbortController();
    const all = Promise.allSettled([
      lm.doGenerate(asked("refused")),
      lm.doGenerate(asked("given up"), { signal: giveUp.signal }),
      lm.doGenerate(asked("impatient"), { signal: waiting.signal }),
      lm.doGenerate(asked("last")),
    ]);
    waiting.abort(new Error("too long"));
    await expect.poll(() => server.requests.length).toBe(2);
    giveUp.abort(new Error("enough"));
    const settled = await all;
    expect(settled.map((one) => one.status)).toEqual([
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(settled[2]).toMatchObject({ reason: { message: "too long" } });
    expect(server.requests).toHaveLength(3);
  });

  it("keeps requests of other prefixes, and those without one, going", async () => {
    await using server = await vllmServer();
    server.script(chatPath, stall);
    server.always(chatPath, chat({}));
    const options = { baseUrl: server.baseUrl, model: "test-model", examinationsFolder: null };
    await using lm = connect({ ...options, warmUp: true });
    const stuck = new AbortController();
    const first = lm.doGenerate(asked("stuck"), { signal: stuck.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    await lm.doGenerate(asked("free", "another predictor"));
    await lm.doGenerate(requestOf("no prefix"));
    stuck.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
  });
});
