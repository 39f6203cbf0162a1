import { setTimeout as delay } from "node:timers/promises";
import type { Redis } from "ioredis";
import type {
  Failure,
  LanguageModel,
  LmCallOptions,
  LmReply,
  MadeCall,
} from "../../../../src/contract/index.ts";
import { isOnce } from "../../../../src/contract/index.ts";
import { EspalierError, failureOf } from "../../../../src/errors/index.ts";
import { callKeys, replyIn } from "../../../../src/lm/files.ts";
import type { AskedLm, QueuedCall } from "../job/queued-run.ts";
import type { RedisAddress } from "../redis/redis-address.ts";
import { orRedisFault } from "../redis/redis-fault.ts";
import type { RunKeys } from "../redis/run-keys.ts";
import { keptSeconds } from "../redis/run-keys.ts";

export interface SharedLmOptions {
  readonly redis: Redis;
  readonly address: RedisAddress;
  readonly keys: RunKeys;
  readonly asked: AskedLm;
  readonly onCall: (call: QueuedCall) => void;
}

/**
 * Shares replies among the workers of a run: keeps each in Redis before it is used, answers from
 * there, and waits where another worker makes the same call. Reports each call with its original
 * reply, so that whoever accounts for the run charges it once, whoever paid for it.
 */
export function sharedLm(
  lm: LanguageModel,
  { redis, address, keys, asked, onCall }: SharedLmOptions,
): LanguageModel {
  const keyOf = callKeys(lm.identity);
  return {
    identity: lm.identity,
    doGenerate: async (request, options = {}) => {
      const { repetition, signal } = options;
      const about = aboutCall(options);
      const report = (made: MadeCall): void => onCall({ asked, request, options: about, made });
      if (isOnce(request)) throw sideEffectsRefused();
      const key = keyOf(request, repetition ?? 0);
      const kept = await orRedisFault(address, () =>
        keptOrLeased(redis, { keys, key, signal }),
      ).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw error;
      });
      if (kept !== undefined) {
        report({ reply: kept });
        return { ...kept, source: "cache" };
      }
      const faults: Failure["code"][] = [];
      const lease = keys.leaseOf(key);
      const renewing = setInterval(() => void redis.pexpire(lease, leaseMs), leaseMs / 3);
      try {
        const reply = await lm.doGenerate(request, {
          ...options,
          onRetry: (fault) => {
            faults.push(fault.code);
            return options.onRetry?.(fault);
          },
        });
        const first = await orRedisFault(address, () => keptFirst(redis, { keys, key, reply }));
        report({ reply: first, ...(faults.length > 0 && { faults }) });
        return first;
      } catch (error) {
        const failure = failureOf(error, signal?.aborted === true ? "aborted" : undefined);
        report({ failure, ...(faults.length > 0 && { faults }) });
        throw error;
      } finally {
        clearInterval(renewing);
        await redis.del(lease);
      }
    },
  };
}

/** Another worker may make the call after this; a dead one's lease ends by itself. */
const leaseMs = 3_000;
const pollMs = 25;

/**
 * The reply on file, or `undefined` with the right to make the call. A damaged one counts as
 * absent: the run has its replies on file, and what Redis holds cannot be mended.
 */
async function keptOrLeased(
  redis: Redis,
  { keys, key, signal }: { keys: RunKeys; key: string; signal: AbortSignal | undefined },
): Promise<LmReply | undefined> {
  const lease = keys.leaseOf(key);
  for (let polls = 1; ; polls++) {
    signal?.throwIfAborted();
    const [leased, kept] = await Promise.all([
      redis.set(lease, "1", "PX", leaseMs, "NX"),
      redis.hget(keys.replies, key),
    ]);
    const read = replyIn(kept ?? "");
    if ("reply" in read) {
      if (leased !== null) await redis.del(lease);
      return read.reply;
    }
    if (leased !== null) {
      if (kept !== null) await redis.hdel(keys.replies, key);
      return undefined;
    }
    // A lease of ours ends by itself.
    if (polls % 40 === 0 && (await redis.pttl(lease)) === -1) await redis.pexpire(lease, leaseMs);
    await delay(pollMs, undefined, signal && { signal });
  }
}

/** Keeps a reply unless one is there; returns the one that is then there. */
async function keptFirst(
  redis: Redis,
  { keys, key, reply }: { keys: RunKeys; key: string; reply: LmReply },
): Promise<LmReply> {
  const [isFirst] = await Promise.all([
    redis.hsetnx(keys.replies, key, JSON.stringify(reply)),
    redis.expire(keys.replies, keptSeconds),
  ]);
  if (isFirst === 1) return reply;
  const first = replyIn((await redis.hget(keys.replies, key)) ?? "");
  if ("reply" in first) return first.reply;
  await redis.hset(keys.replies, key, JSON.stringify(reply));
  return reply;
}

function aboutCall({
  role,
  repetition,
  callPath,
  exampleId,
}: LmCallOptions): QueuedCall["options"] {
  return {
    ...(role !== undefined && { role }),
    ...(repetition !== undefined && { repetition }),
    ...(callPath !== undefined && { callPath }),
    ...(exampleId !== undefined && { exampleId }),
  };
}

/** It could run twice: work in flight may be lost with a worker, and begun again. */
function sideEffectsRefused(): EspalierError {
  return new EspalierError({
    code: "tool-not-allowed",
    problem: "A tool with side effects cannot run on a worker",
    expected: "a run without `allowsSideEffects`, or one in this process",
  });
}
