import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { EspalierError } from "../../../../src/errors/index.ts";
import type { Shape } from "../../../../src/internal/index.ts";
import { epochMs, objectOf, oneOf, text } from "../../../../src/internal/index.ts";
import type { Checkout } from "../job/checkout.ts";
import { checkoutDifferences } from "../job/checkout.ts";
import { checkoutShape } from "../job/queued-shapes.ts";
import { redisFault } from "../redis/redis-fault.ts";
import { closeRedis, openRedis } from "../redis/open-redis.ts";
import { keptSeconds, knownRuns, runKeys, sharedKeys } from "../redis/run-keys.ts";
import type { RunService } from "./run-service.ts";
import { serveRun } from "./run-service.ts";
import type { StudyWorkerOptions } from "./study-worker-options.ts";
import { reportedOf } from "../presence/reported-of.ts";
import { leave, tellPresence } from "../presence/worker-presence.ts";

export interface StudyWorker extends AsyncDisposable {
  readonly id: string;
  /** Takes no more jobs, ends those that it has, and leaves. */
  drain(): Promise<void>;
}

const lookMs = 1_000;

/**
 * Serves every run of a study that was started from the same checkout, now and later.
 *
 * @throws EspalierError `checkout-differs` where only runs of other checkouts go on, and
 *   `queue-failed`, `option-invalid`
 */
export async function studyWorker(options: StudyWorkerOptions): Promise<StudyWorker> {
  const redis = await openRedis(options.redis, options.onNote);
  const listening = redis.duplicate();
  listening.on("error", () => {});
  const { name, checkout, slots, host, pid, onNote } = options;
  const id = `${host}-${pid}-${randomUUID().slice(0, 8)}`;
  const serving = new Map<string, RunService>();
  const refusals = new Map<string, string>();
  const startedAtMs = epochMs();
  const counts = { done: 0, faulted: 0, cancelled: 0, lost: 0, calls: 0 };
  const doneBefore: number[] = [];
  let isDraining = false;

  const tell = async (): Promise<void> => {
    doneBefore.push(counts.done);
    if (doneBefore.length > 10) doneBefore.shift();
    const [first = 0] = doneBefore;
    await tellPresence(redis, {
      id,
      host,
      pid,
      study: name,
      version: checkout.version,
      runs: [...serving.keys()],
      refusals: [...refusals.values()],
      slots,
      running: [...serving.values()].reduce((sum, service) => sum + service.running(), 0),
      isDraining,
      counts,
      jobsPerSecond: (counts.done - first) / ((doneBefore.length * lookMs) / 1_000),
      startedAtMs,
    });
  };

  const begin = async (run: string): Promise<void> => {
    const service = serveRun(run, {
      ...options,
      id,
      redis,
      address: options.redis,
      counts,
    });
    serving.set(run, service);
    onNote(`Serving run ${run}.`);
    await redis.sadd(runKeys(run).serving, id);
  };
  const end = async (run: string, service: RunService, how: "cancel" | "drain"): Promise<void> => {
    await service.close(how);
    serving.delete(run);
    await redis.srem(runKeys(run).serving, id);
    onNote(`Left run ${run}.`);
  };
  const refuse = async (run: string, differences: readonly string[]): Promise<void> => {
    const why = differences.join("; ");
    if (refusals.get(run) === why) return;
    refusals.set(run, why);
    onNote(`Refusing run ${run}: ${why}.`);
    await redis.hset(runKeys(run).refused, id, `worker ${id}: ${why}`);
    await redis.expire(runKeys(run).refused, keptSeconds);
  };

  /** Serves what can be served, and leaves what is over. */
  const look = async (): Promise<void> => {
    const runs = await runsOf(redis, name);
    for (const [run, service] of serving) if (!runs.has(run)) await end(run, service, "cancel");
    for (const run of refusals.keys()) if (!runs.has(run)) refusals.delete(run);
    for (const [run, about] of runs) {
      if (isDraining) return;
      if (serving.has(run)) {
        // Again, in case that Redis lost it.
        await redis.sadd(runKeys(run).serving, id);
        continue;
      }
      const differences = checkoutDifferences(about.checkout, checkout);
      if (differences.length === 0) await begin(run);
      else await refuse(run, differences);
    }
  };
  let looking: Promise<void> = Promise.resolve();
  const lookSoon = (): void => {
    const before = looking;
    looking = (async () => {
      await before;
      if (redis.status !== "ready") return;
      await look();
      await tell();
    })().catch(() => {});
  };

  try {
    await tell();
    await listening.subscribe(sharedKeys.news);
    listening.on("message", lookSoon);
    await look();
    if (serving.size === 0 && (await anyAlive(redis, refusals.keys()))) {
      await leave(redis, id);
      throw foreignCheckout(name, [...refusals.values()]);
    }
  } catch (error) {
    listening.disconnect();
    closeRedis(redis);
    throw redisFault(error, options.redis);
  }
  const timer = setInterval(lookSoon, lookMs);

  const close = async (how: "cancel" | "drain"): Promise<void> => {
    if (isDraining) return;
    isDraining = true;
    await Promise.all([...serving].map(([run, service]) => end(run, service, how)));
    clearInterval(timer);
    await looking;
    await leave(redis, id);
    listening.disconnect();
    closeRedis(redis);
  };
  return { id, drain: () => close("drain"), [Symbol.asyncDispose]: () => close("cancel") };
}

interface AboutRun {
  readonly run: string;
  readonly study: string;
  readonly checkout: Checkout;
}

/** The runs of a study that go on, or may go on again. */
async function runsOf(redis: Redis, study: string): Promise<ReadonlyMap<string, AboutRun>> {
  const ids = await knownRuns(redis);
  const known = await reportedOf<AboutRun>(redis, ids, (run) => runKeys(run).about, aboutOf);
  return new Map(known.flatMap((about) => (about.study === study ? [[about.run, about]] : [])));
}

const aboutOf = (run: string): Shape =>
  objectOf({ run: oneOf(run), study: text, checkout: checkoutShape } satisfies Record<
    keyof AboutRun,
    Shape
  >);

async function anyAlive(redis: Redis, runs: Iterable<string>): Promise<boolean> {
  const keys = [...runs].map((run) => runKeys(run).alive);
  return keys.length > 0 && (await redis.exists(...keys)) > 0;
}

function foreignCheckout(study: string, refusals: readonly string[]): EspalierError {
  return new EspalierError({
    code: "checkout-differs",
    problem: `The run of study \`${study}\` was started from another checkout`,
    got: refusals.join("; "),
    fix: "Use the same checkout and models as the run, then restart the worker.",
  });
}
