import { rehearsalLm } from "@espalier/rehearsal";
import type { LanguageModel, RandomSource } from "../../../src/index.ts";
import { randomSource } from "../../../src/index.ts";
import type { Evaluation } from "../../../src/evaluate/index.ts";
import { evaluate } from "../../../src/evaluate/index.ts";
import { describe, expect, it, vi } from "vitest";
import { workersAt } from "../src/index.ts";
import type { QueueRunner } from "../src/index.ts";
import { placeStudy } from "../../../test/optimizer/support/place-search.ts";
import { mutatedJson } from "../../../test/support/mutated.ts";
import type { RedisServer } from "../../../test/support/redis-server.ts";
import { needsRedis, redisServer } from "../../../test/support/redis-server.ts";
import { checkout, runner, worker } from "./support/queued.ts";

const keyOf = (name: string): string => `espalier:run-of-a-test:${name}`;

describe("Redis to which something else has written", () => {
  needsRedis();

  it("gives no reply that no LM gave: the call is made", async () => {
    await using redis = await redisServer();
    const { lm, asked } = countedLm();
    await using kept = await runner(redis.url);
    await using _worker = await worker({ url: redis.url, study: placeStudy, lm });
    const expected = scoresOf(await evaluateOn(kept));
    const calls = asked();
    const random = randomSource(7, "replies");
    for (const key of (await redis.command("hkeys", keyOf("replies"))) as readonly string[]) {
      const reply = (await redis.command("hget", keyOf("replies"), key)) as string;
      await redis.command("hset", keyOf("replies"), key, mutatedReply(reply, random));
    }
    expect(scoresOf(await evaluateOn(kept))).toEqual(expected);
    expect(asked()).toBe(2 * calls);
  });

  it("makes a run fail with a code where it holds values of other types", async () => {
    await using redis = await redisServer();
    await using kept = await runner(redis.url);
    await using _worker = await worker({ url: redis.url, study: placeStudy, lm: rehearsalLm() });
    for (const key of ["replies", "begun"]) {
      await redis.command("del", keyOf(key));
      await redis.command("set", keyOf(key), "a text");
      const ended = await evaluateOn(kept).then(
        ({ rows, counts }) => ({ scored: counts.scored, told: JSON.stringify(rows) }),
        (error: unknown) => ({ scored: 0, told: String(error) }),
      );
      expect(ended).toMatchObject({ scored: 0, told: expect.stringContaining("WRONGTYPE") });
      // A job that fails later would be one of the next evaluation's, which has the same ids.
      await expect.poll(() => waitingJobs(redis)).toEqual([]);
      await redis.command("del", keyOf(key));
    }
    expect((await evaluateOn(kept)).counts.scored).toBe(14);
  });

  it("gives no result that no worker gave: the run ends and says which job", async () => {
    await using redis = await redisServer();
    await using kept = await runner(redis.url);
    const random = randomSource(8, "results");
    for (let turn = 0; turn < 12; turn++) {
      const running = evaluateOn(kept).catch((error: unknown) => error);
      const job = await queuedJob(redis);
      const forged = random.choice([
        "null",
        '{"outcome":{"state":"finished","run":{"score":{"kind":"scored","value":1}},"judging":[]},"calls":[]}',
        '{"outcome":{"state":"__proto__"},"calls":[]}',
        '{"outcome":{"state":"stopped","failure":{"kind":"program","code":"constructor","message":""},"error":{"code":"constructor","report":{}}},"calls":[]}',
      ]);
      const event = ["event", "completed", "jobId", job, "returnvalue", forged];
      await redis.command("xadd", keyOf("events"), "*", ...event);
      const ended = await running;
      expect(ended).toMatchObject({ code: "queue-failed" });
      expect((ended as Error).message).toContain("something other than a worker's result");
      await redis.command("del", keyOf("wait"), keyOf(job));
    }
  });

  it("does not stop what reads results with one that is no JSON", async () => {
    await using redis = await redisServer();
    await using kept = await runner(redis.url);
    const running = evaluateOn(kept);
    const job = await queuedJob(redis);
    const event = ["event", "completed", "jobId", job, "returnvalue", "{bad"];
    await redis.command("xadd", keyOf("events"), "*", ...event);
    await using _worker = await worker({ url: redis.url, study: placeStudy, lm: rehearsalLm() });
    expect((await running).counts.scored).toBe(14);
  });

  it("has a worker refuse a job whose data are not those of its id", async () => {
    await using redis = await redisServer();
    await using kept = await runner(redis.url);
    const random = randomSource(9, "jobs");
    for (let turn = 0; turn < 30; turn++) {
      const running = evaluateOn(kept).then(({ counts }) => `${counts.scored} scored`, String);
      const job = await queuedJob(redis);
      const data = (await redis.command("hget", keyOf(job), "data")) as string;
      let changed = data;
      // BullMQ itself takes no job whose data are no JSON.
      while (changed === data || !isJson(changed)) changed = mutatedJson(data, random);
      await redis.command("hset", keyOf(job), "data", changed);
      await using _worker = await worker({ url: redis.url, study: placeStudy, lm: rehearsalLm() });
      // Harmless is what changes nothing, such as a space.
      expect(await running).toMatch(/^14 scored$|is not what the run queued/);
      await expect.poll(() => waitingJobs(redis)).toEqual([]);
    }
  });

  it("hides nobody that lives, and shows nobody that it makes up", async () => {
    await using redis = await redisServer();
    await using _kept = await runner(redis.url);
    await using _worker = await worker({ url: redis.url, study: placeStudy, lm: rehearsalLm() });
    using at = await workersAt({ url: redis.url });
    const { workers, runs } = await at.now();
    const random = randomSource(10, "presences");
    for (let turn = 0; turn < 60; turn++) {
      const id = random.choice(["*", "worker", "../x", "__proto__", `made-up-${turn}`, ""]);
      const [told] = random.choice([workers, runs]);
      const mutated = mutatedJson(JSON.stringify(told), random);
      await redis.command("sadd", random.choice(["espalier:runs", "espalier:workers"]), id);
      await redis.command("set", `espalier:${id}:alive`, mutated);
      await redis.command("set", `espalier:${id}:about`, mutatedJson(about(id), random));
      await redis.command("set", `espalier:worker:${id}`, mutated);
    }
    const now = await at.now();
    expect(now.workers.map(({ id }) => id)).toEqual(workers.map(({ id }) => id));
    expect(now.runs.map(({ run }) => run)).toEqual(["run-of-a-test"]);
    // The sweep of a run that begins reaches nothing of those that live, and a worker still comes.
    await using other = await runner(redis.url, "other");
    expect((await at.now()).workers).toHaveLength(1);
    expect((await evaluateOn(other)).counts.scored).toBe(14);
  });

  it("holds a run for one process at a time, until a killed one gives no sign of life", async () => {
    await using redis = await redisServer();
    await using kept = await runner(redis.url);
    const second = await runner(redis.url).catch((error: unknown) => error);
    expect(second).toMatchObject({ code: "run-locked" });
    await using _worker = await worker({ url: redis.url, study: placeStudy, lm: rehearsalLm() });
    expect((await evaluateOn(kept)).counts.scored).toBe(14);
  });
});

const about = (run: string): string => JSON.stringify({ run, study: "tested", checkout });

/** Damaged for sure: other mutations may leave a reply that an LM could have given. */
function mutatedReply(reply: string, random: RandomSource): string {
  const told = JSON.parse(reply) as Record<string, unknown>;
  return random.choice([
    "",
    "{bad",
    "null",
    reply.slice(0, -1),
    "[".repeat(5_000),
    JSON.stringify({ ...told, content: { __proto__: 1 } }),
    JSON.stringify({ ...told, usage: { promptTokens: -1 } }),
    JSON.stringify({ ...told, finishReason: "__proto__" }),
    JSON.stringify({ ...told, latencyMs: "1" }),
    JSON.stringify({ ...told, toolCalls: [null] }),
  ]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function waitingJobs(redis: RedisServer): Promise<readonly string[]> {
  const waiting = (await redis.command("lrange", keyOf("wait"), "0", "-1")) as readonly string[];
  const active = (await redis.command("lrange", keyOf("active"), "0", "-1")) as readonly string[];
  return [...waiting, ...active];
}

async function queuedJob(redis: RedisServer): Promise<string> {
  const [job = ""] = await vi.waitUntil(async () => {
    const waiting = await waitingJobs(redis);
    return waiting.length > 0 && waiting;
  });
  return job;
}

function countedLm(): { readonly lm: LanguageModel; asked(): number } {
  const lm = rehearsalLm();
  let asked = 0;
  return {
    asked: () => asked,
    lm: {
      identity: lm.identity,
      doGenerate: (request, options) => {
        asked++;
        return lm.doGenerate(request, options);
      },
    },
  };
}

function evaluateOn(kept: QueueRunner): Promise<Evaluation> {
  return evaluate({
    program: placeStudy.program,
    examples: placeStudy.trainset.splits.val,
    metric: placeStudy.objective,
    lm: rehearsalLm(),
    concurrency: 14,
    runner: kept,
  });
}

function scoresOf({ rows }: Evaluation): unknown {
  return rows.map(({ score }) => score);
}
