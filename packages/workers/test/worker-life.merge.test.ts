import { setTimeout as delay } from "node:timers/promises";
import { rehearsalLm } from "@espalier/rehearsal";
import { evaluate } from "../../../src/evaluate/index.ts";
import type { LanguageModel } from "../../../src/index.ts";
import { describe, expect, it } from "vitest";
import { placeStudy } from "../../../test/optimizer/support/place-search.ts";
import { needsRedis, redisServer } from "../../../test/support/redis-server.ts";
import { runCli, startCli } from "../../../test/support/run-cli.ts";
import { checkout, runner, worker } from "./support/queued.ts";

const places = "test/cli/fixtures/places.ts";

describe("a worker", () => {
  needsRedis();

  it("refuses a run of another checkout, and says what differs", async () => {
    await using redis = await redisServer();
    await using _run = await runner(redis.url);
    const foreign = {
      ...checkout,
      prompts: "other",
      modules: { "program.ts": "1" },
      lms: { answer: { provider: "vllm", model: "other" } },
    };
    const refused = worker({
      url: redis.url,
      study: placeStudy,
      lm: rehearsalLm(),
      options: { checkout: foreign },
    });
    await expect(refused).rejects.toMatchObject({
      code: "checkout-differs",
      message: expect.stringMatching(
        /the prompts differ; program\.ts is not part of the run's; LM "answer" is .*other.*, not absent/,
      ) as unknown,
    });
  });

  it("is missed by a run that nobody serves, which names the one that refused", async () => {
    await using redis = await redisServer();
    const command = ["eval", places, "--rehearsal", "--limit", "1", "--redis", redis.url];
    const waiting = startCli(command);
    await waiting.saw("No worker serves this run yet.");
    const other = startCli([
      "worker",
      places,
      "--lm",
      "http://127.0.0.1:9/v1",
      "--redis",
      redis.url,
      "--cache-only",
      "--model",
      "other",
    ]);
    const { code, stderr } = await other.ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain("checkout-differs: The run of study `places` was started from");
    expect(stderr).toContain('LM "answer" is {"provider":"vllm","model":"other"}, not');
    const right = startCli(["worker", places, "--rehearsal", "--redis", redis.url]);
    expect((await waiting.ended).code).toBe(0);
    right.interrupt("SIGTERM");
    const ended = await right.ended;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain("Interrupted: finishing the examples in flight, taking no more");
    expect(ended.stderr).toMatch(/Worker \S+ has ended\.\n$/);
    expect(await redis.keys()).toEqual([]);
  });

  it("and a run say that Redis is away, and go on once it is back", async () => {
    await using redis = await redisServer();
    const at = ["--rehearsal", "--redis", redis.url];
    const run = startCli(["eval", places, "--limit", "1", ...at]);
    await run.saw("No worker serves this run yet.");
    const idle = startCli(["worker", "optimizers/notes-guided.ts", ...at]);
    await idle.saw("is serving notes-guided");
    await redis.stop();
    const away = "Waiting for Redis; nothing can continue without it: Redis cannot be reached";
    await Promise.all([run.saw(away), idle.saw(away)]);
    await redis.restart({ keepsData: true });
    await Promise.all([run.saw("Redis is back."), idle.saw("Redis is back.")]);
    const server = startCli(["worker", places, ...at]);
    expect((await run.ended).code).toBe(0);
    for (const one of [idle, server]) one.interrupt("SIGTERM");
    expect(await Promise.all([idle, server].map(async ({ ended }) => (await ended).code))).toEqual([
      0, 0,
    ]);
  });

  it("ends what it has begun when it is told to end, and takes no more", async () => {
    await using redis = await redisServer();
    const { lm, begun, release } = heldLm();
    await using _kept = await runner(redis.url);
    const first = await worker({ url: redis.url, study: placeStudy, lm, options: { slots: 2 } });
    const running = evaluateOn(_kept, lm);
    await begun(2);
    const drained = first.drain();
    release();
    await drained;
    const after = lm.asked();
    await using _second = await worker({ url: redis.url, study: placeStudy, lm });
    expect((await running).counts.scored).toBe(14);
    // Two of 14 were done; the calls of the others came after.
    expect(after).toBe(4);
  });

  it("leaves what it cancels on its own to another, and nothing of it is a result", async () => {
    await using redis = await redisServer();
    const { lm, begun, release } = heldLm();
    await using kept = await runner(redis.url);
    const first = await worker({ url: redis.url, study: placeStudy, lm, options: { slots: 2 } });
    const running = evaluateOn(kept, lm);
    await begun(2);
    await first[Symbol.asyncDispose]();
    expect(lm.aborted()).toBe(2);
    release();
    await using _second = await worker({ url: redis.url, study: placeStudy, lm });
    expect((await running).counts.scored).toBe(14);
  });

  it("is listed while it lives, with what it does, as text and JSON", async () => {
    await using redis = await redisServer();
    const listed = async (...options: readonly string[]): Promise<string> => {
      const { stdout } = await runCli(["workers", "--redis", redis.url, ...options]);
      return stdout;
    };
    expect(await listed()).toBe("There are no workers.\n");
    expect(await listed("--json")).toBe('{"workers":[],"runs":[]}\n');
    const { lm, begun, release } = heldLm();
    await using kept = await runner(redis.url);
    const living = await worker({ url: redis.url, study: placeStudy, lm, options: { slots: 2 } });
    const running = evaluateOn(kept, lm);
    await begun(2);
    await expect
      .poll(async () => JSON.parse(await listed("--json")) as unknown)
      .toMatchObject({
        workers: [{ study: "tested", slots: 2, running: 2, counts: { done: 0, lost: 0 } }],
        runs: [{ run: "run-of-a-test", study: "tested", inFlight: 14, counts: { jobs: 14 } }],
      });
    release();
    await running;
    await expect
      .poll(async () => JSON.parse(await listed("--json")) as unknown)
      .toMatchObject({ workers: [{ study: "tested", counts: { done: 14, lost: 0 } }] });
    expect(await listed()).toMatch(/^worker +study .*\n\S+ +tested +1 +0\/2 .* 14 +0 +0 /);
    await living.drain();
    // As a worker would end a job that another has ended.
    const ended = ["event", "completed", "jobId", "another", "returnvalue", "null"];
    await redis.command("xadd", "espalier:run-of-a-test:events", "*", ...ended);
    await expect
      .poll(async () => JSON.parse(await listed("--json")) as unknown)
      .toMatchObject({ workers: [], runs: [{ run: "run-of-a-test", counts: { dropped: 1 } }] });
    expect(await listed()).toMatch(
      /^There are no workers.\n\nrun .*\nrun-of-a-test +tested +0 +14 +0 +0 +1\n$/,
    );
  });

  it("aborts what was cancelled, and what waits is taken out of the queue", async () => {
    await using redis = await redisServer();
    const { lm, begun } = heldLm();
    const control = new AbortController();
    {
      await using kept = await runner(redis.url);
      kept.finish();
      await using _worker = await worker({
        url: redis.url,
        study: placeStudy,
        lm,
        options: { slots: 2 },
      });
      const running = evaluateOn(kept, lm, control.signal);
      await begun(2);
      control.abort();
      await expect(running).rejects.toMatchObject({ code: "aborted" });
      while (lm.aborted() < 2) await delay(5);
      expect(lm.asked()).toBe(2);
    }
    expect(await redis.keys()).toEqual([]);
  });

  it("that one example kills three times makes it an error of the program", async () => {
    await using redis = await redisServer();
    const study = "test/cli/fixtures/poisoned.ts";
    const evaluated = runCli(["eval", study, "--rehearsal", "--redis", redis.url]);
    let deaths = 0;
    let isOver = false;
    void evaluated.then(() => (isOver = true));
    while (!isOver) {
      const each = startCli([
        "worker",
        study,
        "--rehearsal",
        "--redis",
        redis.url,
        "--lost-after",
        "1",
      ]);
      await Promise.race([each.ended, evaluated]);
      if (!isOver) deaths++;
      else {
        each.interrupt("SIGTERM");
        await each.ended;
      }
    }
    const { code, stderr } = await evaluated;
    expect(code).not.toBe(0);
    expect(stderr).toContain("killed 3 workers");
    expect(stderr).toContain("`place-20`");
    expect(deaths).toBe(3);
  });

  it("sweeps what a killed run left once its time is over", async () => {
    await using redis = await redisServer();
    const left = await runner(redis.url, "left");
    await redis.command("set", "espalier:left:begun", "1");
    await redis.command("del", "espalier:left:about", "espalier:left:replies");
    await using kept = await runner(redis.url, "next");
    kept.finish();
    expect((await redis.keys()).filter((key) => key.startsWith("espalier:left:"))).toEqual([]);
    await left[Symbol.asyncDispose]();
  });

  it("gives every key of a run an end", async () => {
    await using redis = await redisServer();
    const { lm, begun, release } = heldLm();
    await using kept = await runner(redis.url);
    await using _worker = await worker({ url: redis.url, study: placeStudy, lm });
    const running = evaluateOn(kept, lm);
    await begun(8);
    await kept.keep();
    for (const key of await redis.keys()) {
      expect({ key, ends: Number(await redis.command("pttl", key)) > 0 }).toEqual({
        key,
        ends: true,
      });
    }
    release();
    await running;
  });
});

function evaluateOn(
  kept: Awaited<ReturnType<typeof runner>>,
  lm: LanguageModel,
  signal?: AbortSignal,
) {
  return evaluate({
    program: placeStudy.program,
    examples: placeStudy.trainset.splits.val,
    metric: placeStudy.objective,
    lm,
    runner: kept,
    ...(signal && { signal }),
  });
}

/** A rehearsal LM whose calls wait until they are let go. */
function heldLm() {
  const gate = Promise.withResolvers<void>();
  const behind = rehearsalLm();
  let [asked, aborted] = [0, 0];
  const lm = {
    identity: behind.identity,
    asked: () => asked,
    aborted: () => aborted,
    doGenerate: async (...[request, options]: Parameters<LanguageModel["doGenerate"]>) => {
      asked++;
      const fired = Promise.withResolvers<never>();
      options?.signal?.addEventListener("abort", () => {
        aborted++;
        fired.reject(options.signal?.reason as Error);
      });
      await Promise.race([gate.promise, fired.promise]);
      return behind.doGenerate(request, options);
    },
  };
  return {
    lm,
    release: gate.resolve,
    begun: async (calls: number) => {
      while (asked < calls) await delay(5);
    },
  };
}
