import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { LmError } from "../../../src/errors/index.ts";
import type { Clock } from "../../../src/internal/index.ts";
import { replicas } from "../../../src/lm/replicas/replicas.ts";
import type { Replica } from "../../../src/lm/replicas/server-pool.ts";
import { connect } from "../../../src/lm/index.ts";
import { ledger } from "../../../src/ledger/index.ts";
import type { LmReply, LmRequest } from "../../../src/contract/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chat, chatPath, json, refuse, reset, vllmServer } from "../../support/vllm-server.ts";
import { reply, requestOf } from "../requests.ts";

const asked = (system: string, question: string): LmRequest => ({
  ...requestOf(question),
  messages: [
    { role: "system", content: system },
    { role: "user", content: question },
  ],
});

const chatsOf = (server: VllmServer) => server.requests.filter(({ path }) => path === chatPath);

const options = {
  model: "test-model",
  examinationsFolder: null,
  retry: { attempts: 3, baseDelayMs: 5, maxDelayMs: 10 },
} as const;

async function servers(count: number) {
  const all = await Promise.all(Array.from({ length: count }, () => vllmServer()));
  return {
    all,
    baseUrls: all.map(({ baseUrl }) => baseUrl),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

describe("a connection to several servers", () => {
  it("sends requests that begin alike to one server, and deals beginnings out", async () => {
    await using three = await servers(3);
    await using lm = connect({ ...options, baseUrls: three.baseUrls });
    // Which server is whose home goes by their addresses, whose ports are new every time: so many
    // beginnings that chance leaves no server with few.
    const beginnings = Array.from({ length: 120 }, (_, number) => `You are predictor ${number}.`);
    for (const beginning of beginnings) {
      for (const question of ["a", "b"]) await lm.doGenerate(asked(beginning, question));
    }
    const homes = three.all.map(
      (server) => new Set(chatsOf(server).map(({ body }) => body.messages[0].content)),
    );
    expect(homes.reduce((sum, { size }) => sum + size, 0)).toBe(120);
    for (const home of homes) expect(home.size).toBeGreaterThan(10);
  });

  it("spills what exceeds the bound of a slow server to those with the least to do", async () => {
    await using three = await servers(3);
    await using lm = connect({
      ...options,
      baseUrls: three.baseUrls,
      concurrency: 60,
      replicas: { spillFloor: 4 },
    });
    await lm.doGenerate(asked("same", "who is home?"));
    const home = three.all.find((server) => chatsOf(server).length === 1);
    const others = three.all.filter((server) => server !== home);
    const released = Promise.withResolvers<void>();
    home?.always(chatPath, async (request, response) => {
      await released.promise;
      return chat({})(request, response);
    });
    const questions = Array.from({ length: 60 }, (_, number) => `question ${number}`);
    const replies = questions.map((question) => lm.doGenerate(asked("same", question)));
    const all = () => three.all.reduce((sum, server) => sum + chatsOf(server).length, 0);
    await expect.poll(all).toBe(61);
    released.resolve();
    await Promise.all(replies);
    // Its bound grows with all that is in flight: 1.25 of a third of 60 calls, the first one aside.
    expect(home && chatsOf(home).length - 1).toBeLessThanOrEqual(25);
    for (const other of others) expect(chatsOf(other).length).toBeGreaterThan(10);
  });

  it("loses no call to a server that dies on the way, and charges each once", async () => {
    await using two = await servers(2);
    const book = ledger();
    await using lm = connect({ ...options, baseUrls: two.baseUrls, concurrency: 8, ledger: book });
    const [victim] = two.all as [VllmServer, VllmServer];
    let left = 20;
    victim.always(chatPath, (request, response) => {
      if (left-- > 0) return chat({})(request, response);
      response.socket?.destroy();
      return victim[Symbol.asyncDispose]();
    });
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, number) =>
        lm.doGenerate(asked(`predictor ${number % 100}`, `question ${number}`)),
      ),
    );
    expect(replies.every(({ content }) => content === "hello there")).toBe(true);
    expect(left).toBeLessThanOrEqual(0);
    const { logical, billed } = book.snapshot().total;
    expect([logical.calls, logical.failedCalls, billed.calls]).toEqual([200, 0, 200]);
  });

  it("leaves a sick server alone, and takes it back when it says that it is well", async () => {
    await using two = await servers(2);
    const [sick] = two.all as [VllmServer, VllmServer];
    await using lm = connect({
      ...options,
      baseUrls: two.baseUrls,
      replicas: { firstPauseMs: 50 },
    });
    sick.always(chatPath, reset);
    sick.always("/health", json({}, 503));
    const ask = (round: string) =>
      Promise.all(
        Array.from({ length: 20 }, (_, number) => lm.doGenerate(asked(`p${number}`, round))),
      );
    await ask("first");
    const seen = chatsOf(sick).length;
    expect(seen).toBeGreaterThan(0);
    await ask("second");
    // What was under way when it went out may still have reached it, and no more.
    expect(chatsOf(sick).length).toBe(seen);
    let round = 0;
    const isSeen = async (what: () => boolean): Promise<boolean> => {
      await ask(`round ${round++}`);
      return what();
    };
    const looked = () => sick.requests.some(({ path }) => path === "/health");
    await expect.poll(() => isSeen(looked)).toBe(true);
    expect(chatsOf(sick).length).toBe(seen);

    sick.always(chatPath, chat({}));
    sick.always("/health", json({}));
    const isBack = () => chatsOf(sick).length > seen;
    await expect.poll(() => isSeen(isBack)).toBe(true);
  });

  it("sends a call that a server dropped back to it where the others have no room", async () => {
    await using two = await servers(2);
    await using lm = connect({
      ...options,
      baseUrls: two.baseUrls,
      concurrency: 8,
      replicas: { spillFloor: 1, maxPerServer: 1, firstPauseMs: 20, checkEveryMs: 20 },
    });
    const [dropping, busy] = two.all as [VllmServer, VllmServer];
    const released = Promise.withResolvers<void>();
    busy.always(chatPath, async (request, response) => {
      await released.promise;
      return chat({})(request, response);
    });
    let drops = 1;
    dropping.always(chatPath, async (request, response) => {
      await expect.poll(() => chatsOf(busy).length).toBe(1);
      return drops-- > 0 ? reset(request, response) : chat({})(request, response);
    });
    let answered = 0;
    const all = Array.from({ length: 40 }, async (_, number) => {
      await lm.doGenerate(asked(`predictor ${number}`, "?"));
      answered += 1;
    });
    await expect.poll(() => answered).toBe(39);
    expect([chatsOf(dropping).length, chatsOf(busy).length]).toEqual([40, 1]);
    released.resolve();
    await Promise.all(all);
  });

  it("asks a server that comes back only to drop a call again no third time", async () => {
    let nowMs = 0;
    let ticks = 0;
    const clock: Clock = {
      now: () => nowMs,
      sleep: async (ms) => {
        await setImmediate();
        nowMs += ms;
        ticks += 1;
      },
    };
    const calls = { dropping: 0, busy: 0 };
    const released = Promise.withResolvers<LmReply>();
    const replica = (name: keyof typeof calls, doGenerate: () => Promise<LmReply>): Replica => ({
      name,
      lm: {
        identity: { provider: "virtual", model: "m" },
        doGenerate: () => {
          calls[name] += 1;
          return doGenerate();
        },
      },
      isHealthy: async () => true,
    });
    const dropped = new LmError({ code: "lm-unreachable", problem: "It dropped the call" });
    const lm = replicas(
      [replica("dropping", () => Promise.reject(dropped)), replica("busy", () => released.promise)],
      { spillFloor: 1, maxPerServer: 1, clock },
    );
    const both = ["a", "b"].map((question) => lm.doGenerate(asked("same", question)));
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(10_000), { timeout: 60_000 });
    // One was dropped twice; the other may have been dropped before it found the place at the busy.
    expect(calls.dropping).toBeGreaterThanOrEqual(2);
    expect(calls.dropping).toBeLessThanOrEqual(3);
    expect(calls.busy).toBe(1);
    released.resolve(reply);
    await Promise.all(both);
    expect(calls.busy).toBe(2);
  });

  it("sends a call that fails on all of them to each once, though each comes back meanwhile", async () => {
    let nowMs = 0;
    const clock: Clock = {
      now: () => nowMs,
      sleep: async (ms) => {
        await setImmediate();
        nowMs += ms;
      },
    };
    const calls = { a: 0, b: 0 };
    const failing = (name: keyof typeof calls): Replica => ({
      name,
      lm: {
        identity: { provider: "virtual", model: "m" },
        doGenerate: async () => {
          calls[name] += 1;
          const stallsUntilMs = nowMs + 60_000;
          while (nowMs < stallsUntilMs) await setImmediate();
          throw new LmError({ code: "lm-stalled", problem: "It said nothing" });
        },
      },
      isHealthy: async () => true,
    });
    const lm = replicas([failing("a"), failing("b")], { clock });
    await expect(lm.doGenerate(asked("same", "a"))).rejects.toMatchObject({ code: "lm-stalled" });
    expect(calls).toEqual({ a: 1, b: 1 });
  });

  it("asks all of them when all are out, and fails with the fault only when all fail", async () => {
    await using two = await servers(2);
    for (const server of two.all) server.always(chatPath, refuse(500, "out of memory"));
    const book = ledger();
    await using lm = connect({ ...options, baseUrls: two.baseUrls, ledger: book });
    await expect(lm.doGenerate(asked("p", "q"))).rejects.toMatchObject({ code: "lm-server-error" });
    // Three attempts, each over both.
    expect(two.all.map((server) => chatsOf(server).length)).toEqual([3, 3]);
    expect(book.snapshot().total.logical).toMatchObject({ calls: 1, failedCalls: 1 });
    for (const server of two.all) server.always(chatPath, chat({}));
    expect((await lm.doGenerate(asked("p", "q"))).content).toBe("hello there");
  });

  it("does not ask another server what one refuses", async () => {
    await using two = await servers(2);
    for (const server of two.all) server.always(chatPath, refuse(400, "bad"));
    await using lm = connect({ ...options, baseUrls: two.baseUrls });
    await expect(lm.doGenerate(asked("p", "q"))).rejects.toMatchObject({
      code: "lm-request-refused",
    });
    expect(two.all.flatMap(chatsOf)).toHaveLength(1);
  });

  it("takes its replies from the cache whichever servers gave them", async () => {
    await using folder = await temporaryFolder();
    await using first = await servers(2);
    await using second = await servers(2);
    const cachePath = join(folder.path, "replies.sqlite");
    {
      await using lm = connect({ ...options, baseUrls: first.baseUrls, cachePath });
      await lm.doGenerate(asked("p", "q"));
    }
    await using lm = connect({ ...options, baseUrls: second.baseUrls, cachePath });
    expect((await lm.doGenerate(asked("p", "q"))).source).toBe("cache");
    expect(lm.identity).toEqual({ provider: "vllm", model: "test-model" });
  });

  it("needs a server", () => {
    expect(() => connect({ model: "test-model" })).toThrow(/`baseUrl`, at least one in `baseUrls`/);
  });
});
