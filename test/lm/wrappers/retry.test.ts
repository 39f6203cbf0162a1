import { describe, expect, it } from "vitest";
import type { LmCallOptions } from "../../../src/contract/index.ts";
import type { Clock } from "../../../src/internal/index.ts";
import { drawFrom, systemClock } from "../../../src/internal/index.ts";
import { withRetry } from "../../../src/lm/index.ts";
import { chat, chatPath, json, raw, refuse, reset, vllmServer } from "../../support/vllm-server.ts";
import { faultOf } from "../fault-of.ts";
import { contractAnswer, languageModelContract } from "../language-model.contract.ts";
import { clientOf, requestOf } from "../requests.ts";

languageModelContract("withRetry", async () => {
  const server = await vllmServer();
  server.always(chatPath, contractAnswer);
  return {
    lm: withRetry(clientOf(server)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

/** Time stands still, and writes down how long it was asked to. */
function standingClock(): Clock & { readonly pauses: number[] } {
  const pauses: number[] = [];
  return { pauses, now: () => 0, sleep: async (durationMs) => void pauses.push(durationMs) };
}

/** Time passes only while somebody sleeps. */
function passingClock(): Clock {
  let nowMs = 0;
  return { now: () => nowMs, sleep: async (durationMs) => void (nowMs += durationMs) };
}

/** Always draws the upper end, so that pauses show their bound. */
const upperEnd = drawFrom(() => 1);

describe("a retried language model", () => {
  it("asks again after each fault that may pass", async () => {
    await using server = await vllmServer();
    const clock = standingClock();
    server.script(
      chatPath,
      refuse(429, "slow"),
      refuse(500, "no"),
      raw("<html>"),
      json({}),
      reset,
      chat({ content: "at last" }),
    );
    const lm = withRetry(clientOf(server), { clock });
    expect((await lm.doGenerate(requestOf("a"))).content).toBe("at last");
    expect(clock.pauses).toHaveLength(5);
  });

  it.each([400, 401, 404, 422])("does not ask again after status %i", async (status) => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(status, "no"));
    const lm = withRetry(clientOf(server), { clock: standingClock() });
    await expect(lm.doGenerate(requestOf("a"))).rejects.toMatchObject({ status });
    expect(server.requests.filter(({ path }) => path === chatPath)).toHaveLength(1);
  });

  it("gives up with the last fault after so many attempts", async () => {
    await using server = await vllmServer();
    server.always(chatPath, refuse(503, "no"));
    const lm = withRetry(clientOf(server), { clock: standingClock(), attempts: 4 });
    await expect(lm.doGenerate(requestOf("a"))).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(4);
  });

  it("goes on asking a server that is away for as long as its patience lasts", async () => {
    await using server = await vllmServer();
    const clock = passingClock();
    server.always(chatPath, refuse(503, "loading"));
    const waits: number[] = [];
    const lm = withRetry(clientOf(server), {
      clock,
      patienceMs: 120_000,
      random: upperEnd,
      onWait: ({ waitedMs }) => waits.push(waitedMs),
    });
    await expect(lm.doGenerate(requestOf("a"))).rejects.toMatchObject({ code: "lm-unavailable" });
    expect(clock.now()).toBe(120_000);
    expect(waits.slice(0, 4)).toEqual([0, 250, 750, 1_750]);
    // Further calls ask once, since nothing has changed.
    const before = server.requests.length;
    await expect(lm.doGenerate(requestOf("b"))).rejects.toMatchObject({ code: "lm-unavailable" });
    expect(server.requests.length - before).toBe(1);
    // A reply brings the patience back.
    server.always(chatPath, chat({ content: "back" }));
    await lm.doGenerate(requestOf("c"));
    server.script(chatPath, refuse(503, "loading"));
    expect((await lm.doGenerate(requestOf("d"))).content).toBe("back");
  });

  it("gives up on a call after twelve requests where the server answers others", async () => {
    await using server = await vllmServer();
    let poisoned = 0;
    server.always(chatPath, (request, response) => {
      const isPoisoned = JSON.stringify(request.body.messages).includes("poison");
      if (isPoisoned) poisoned++;
      return (isPoisoned ? refuse(500, "no") : chat({ content: "fine" }))(request, response);
    });
    const clock = passingClock();
    const lm = withRetry(clientOf(server), {
      clock: { ...clock, sleep: async () => void (await lm.doGenerate(requestOf("other"))) },
      patienceMs: Number.POSITIVE_INFINITY,
    });
    await expect(lm.doGenerate(requestOf("poison"))).rejects.toThrow("status 500");
    expect(poisoned).toBe(12);
  });

  it("goes on asking a server that goes away after it has answered another call", async () => {
    await using server = await vllmServer();
    const clock = passingClock();
    const outageMs = 300_000;
    server.always(chatPath, (request, response) => {
      const isLast = JSON.stringify(request.body.messages).includes("last reply");
      const isAnswered = isLast || clock.now() >= outageMs;
      return (isAnswered ? chat({ content: "fine" }) : reset)(request, response);
    });
    const lm = withRetry(clientOf(server), {
      clock: {
        ...clock,
        sleep: async (durationMs) => {
          if (clock.now() === 0) await lm.doGenerate(requestOf("last reply"));
          await clock.sleep(durationMs);
        },
      },
      patienceMs: 2 * outageMs,
      random: upperEnd,
    });
    expect((await lm.doGenerate(requestOf("a"))).content).toBe("fine");
    expect(clock.now()).toBeGreaterThanOrEqual(outageMs);
  });

  it("asks once where it has no patience", async () => {
    await using server = await vllmServer();
    server.always(chatPath, reset);
    const lm = withRetry(clientOf(server), { patienceMs: 0 });
    await expect(lm.doGenerate(requestOf("a"))).rejects.toMatchObject({ code: "lm-unreachable" });
    expect(server.requests).toHaveLength(1);
  });

  it("doubles the upper end of its pauses up to a limit", async () => {
    await using server = await vllmServer();
    const clock = standingClock();
    server.always(chatPath, refuse(500, "no"));
    const lm = withRetry(clientOf(server), {
      attempts: 6,
      baseDelayMs: 100,
      maxDelayMs: 500,
      random: upperEnd,
      clock,
    });
    await expect(lm.doGenerate(requestOf("a"))).rejects.toThrow("status 500");
    expect(clock.pauses).toEqual([100, 200, 400, 500, 500]);
  });

  it("waits at least as long as the server asks", async () => {
    await using server = await vllmServer();
    const clock = standingClock();
    server.script(chatPath, json({}, 429, { "retry-after": "7" }));
    await withRetry(clientOf(server), { clock }).doGenerate(requestOf("a"));
    expect(clock.pauses[0]).toBeGreaterThanOrEqual(7_000);
    expect(clock.pauses[0]).toBeLessThan(7_250);
  });

  it.each([
    ["a minute", {}, "60"],
    ["what it is told", { maxRetryAfterMs: 2_000 }, "2"],
  ])("waits for a server that asks for %s", async (_what, options, seconds) => {
    await using server = await vllmServer();
    const clock = standingClock();
    server.script(chatPath, json({}, 429, { "retry-after": seconds }));
    const random = drawFrom(() => 0);
    await withRetry(clientOf(server), { clock, random, ...options }).doGenerate(requestOf("a"));
    expect(clock.pauses).toEqual([1_000 * Number(seconds)]);
  });

  it.each([
    ["a minute", {}, 429, "61", "60 s"],
    ["what it is told", { maxRetryAfterMs: 2_000 }, 503, "1000000000", "2 s"],
  ])(
    "ends at once where the server asks for more than %s, and says how long that is",
    async (_what, options, status, seconds, most) => {
      await using server = await vllmServer();
      const clock = standingClock();
      server.always(
        chatPath,
        json({ error: { message: "slow down" } }, status, { "retry-after": seconds }),
      );
      const error = await faultOf(
        withRetry(clientOf(server), { clock, ...options }).doGenerate(requestOf("a")),
      );
      expect(error).toMatchObject({
        code: status === 429 ? "lm-rate-limited" : "lm-unavailable",
        status,
        retryAfterMs: 1_000 * Number(seconds),
        report: {
          problem: `The server answered with status ${status}, and asked to wait ${seconds} s`,
          expected: `a wait of at most ${most}`,
          got: "slow down",
          fix: expect.stringMatching(/`maxRetryAfterMs` in code/),
        },
      });
      expect(clock.pauses).toEqual([]);
      expect(server.requests).toHaveLength(1);
    },
  );

  it("begins no pause that is longer than its caller waits", async () => {
    await using server = await vllmServer();
    const clock = standingClock();
    server.always(chatPath, json({}, 429, { "retry-after": "5" }));
    const lm = withRetry(clientOf(server), { clock, random: drawFrom(() => 0) });
    let leftMs = 12_000;
    const timeLeftMs = (): number => (leftMs -= 4_000);
    const error = await faultOf(lm.doGenerate(requestOf("a"), { timeLeftMs }));
    expect(error).toMatchObject({
      code: "lm-rate-limited",
      report: {
        expected: "a wait of at most 4 s",
        fix: "Ask again later, or give the call more time.",
      },
    });
    expect(clock.pauses).toEqual([5_000]);
  });

  it("tells its caller of each further request", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"), reset);
    const faults: string[] = [];
    const onRetry: LmCallOptions["onRetry"] = ({ code }) => void faults.push(code);
    const lm = withRetry(clientOf(server), { clock: standingClock() });
    await lm.doGenerate(requestOf("a"), { onRetry });
    expect(faults).toEqual(["lm-server-error", "lm-unreachable"]);
    await lm.doGenerate(requestOf("a"), { onRetry });
    expect(faults).toEqual(["lm-server-error", "lm-unreachable"]);
  });

  it("sleeps long when asked for more than a timer can hold", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const sleep = systemClock.sleep(2 ** 40, controller.signal);
    // Longer than the 1 ms that Node makes of a delay that overflows.
    await systemClock.sleep(20);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
  });

  it("stops waiting when aborted", async () => {
    await using server = await vllmServer();
    const controller = new AbortController();
    const reason = new Error("enough");
    server.always(chatPath, json({}, 429, { "retry-after": "30" }));
    const clock: Clock = {
      ...systemClock,
      sleep: (durationMs, signal) => {
        queueMicrotask(() => controller.abort(reason));
        return systemClock.sleep(durationMs, signal);
      },
    };
    const lm = withRetry(clientOf(server), { clock });
    const call = lm.doGenerate(requestOf("a"), { signal: controller.signal });
    await expect(call).rejects.toBe(reason);
  });

  it("does not repeat a stream of which a piece was shown", async () => {
    await using server = await vllmServer();
    const piece = JSON.stringify({ model: "m", choices: [{ delta: { content: "a" } }] });
    server.script(chatPath, raw(`data: ${piece}\n\ndata: [DONE]\n\n`, "text/event-stream"));
    const lm = withRetry(clientOf(server), { clock: standingClock() });
    const pieces: unknown[] = [];
    const call = lm.doGenerate(requestOf("a"), { onDelta: (delta) => pieces.push(delta) });
    await expect(call).rejects.toMatchObject({ code: "lm-bad-envelope" });
    expect(pieces).toEqual([{ content: "a" }]);
  });

  it("repeats such a stream for a listener that can take it back, and says so first", async () => {
    await using server = await vllmServer();
    const piece = JSON.stringify({ model: "m", choices: [{ delta: { content: "a" } }] });
    server.script(chatPath, raw(`data: ${piece}\n\ndata: [DONE]\n\n`, "text/event-stream"));
    const lm = withRetry(clientOf(server), { clock: standingClock() });
    let heard = "";
    const restartedFrom: string[] = [];
    const reply = await lm.doGenerate(requestOf("a"), {
      onDelta: ({ content = "" }) => void (heard += content),
      onRestart: () => {
        restartedFrom.push(heard);
        heard = "";
      },
    });
    expect(restartedFrom).toEqual(["a"]);
    expect(heard).toBe(reply.content);
  });

  it("repeats a stream of which nothing was shown", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"));
    const lm = withRetry(clientOf(server), { clock: standingClock() });
    const pieces: string[] = [];
    await lm.doGenerate(requestOf("a"), { onDelta: ({ content = "" }) => pieces.push(content) });
    expect(pieces.join("")).toBe("hello there");
  });
});
