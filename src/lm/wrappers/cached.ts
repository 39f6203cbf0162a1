import type { LanguageModel, LmCallOptions, LmReply } from "../../contract/index.ts";
import type { SingleFlight } from "../../internal/index.ts";
import { singleFlight } from "../../internal/index.ts";
import { callKeys } from "./call-key.ts";
import { deliverWholeReply } from "./deliver-whole-reply.ts";
import type { ReplyCache } from "./reply-cache.ts";

/**
 * Answers a repeated call from a cache. Identical calls in flight become one: the first is billed,
 * the others count as cached. Errors are not kept; replies cut off at the token limit are, since
 * the model did say that.
 */
export function cached(lm: LanguageModel, cache: ReplyCache): LanguageModel {
  const keyOf = callKeys(lm.identity);
  const inFlight = new Map<string, CallInFlight>();

  return {
    identity: lm.identity,
    doGenerate: async (request, options: LmCallOptions = {}) => {
      const { signal, repetition = 0, timeLeftMs = withoutDeadline } = options;
      signal?.throwIfAborted();
      const key = keyOf(request, repetition);
      const kept = cache.get(key);
      if (kept !== undefined) return deliverWholeReply({ ...kept, source: "cache" }, options);

      const running = inFlight.get(key);
      if (running !== undefined) {
        const reply = await joined(running, timeLeftMs, signal);
        return deliverWholeReply({ ...reply, source: "cache" }, options);
      }

      const ask = async (sharedSignal: AbortSignal | undefined): Promise<LmReply> => {
        try {
          const reply = await lm.doGenerate(request, {
            ...sharedOptions(options, sharedSignal),
            timeLeftMs: () => longestOf(started.timesLeftMs),
          });
          cache.set(key, reply);
          return reply;
        } finally {
          if (inFlight.get(key) === started) inFlight.delete(key);
        }
      };
      const started: CallInFlight = {
        call: singleFlight(ask, () => inFlight.delete(key)),
        timesLeftMs: new Set(),
      };
      inFlight.set(key, started);
      return joined(started, timeLeftMs, signal);
    },
  };
}

interface CallInFlight {
  readonly call: SingleFlight<LmReply>;
  /** One entry per caller that still waits. */
  readonly timesLeftMs: Set<() => number>;
}

async function joined(
  { call, timesLeftMs }: CallInFlight,
  timeLeftMs: () => number,
  signal: AbortSignal | undefined,
): Promise<LmReply> {
  // Two callers may share a deadline, and one of them may leave.
  const ownTimeLeftMs = (): number => timeLeftMs();
  timesLeftMs.add(ownTimeLeftMs);
  try {
    return await call.join(signal);
  } finally {
    timesLeftMs.delete(ownTimeLeftMs);
  }
}

function withoutDeadline(): number {
  return Number.POSITIVE_INFINITY;
}

/** The request continues as long as any caller can wait for it. */
function longestOf(timesLeftMs: ReadonlySet<() => number>): number {
  return Math.max(...Array.from(timesLeftMs, (timeLeftMs) => timeLeftMs()));
}

/** A caller that has given up sees no more pieces, even if others still wait for the reply. */
function sharedOptions(options: LmCallOptions, sharedSignal?: AbortSignal): LmCallOptions {
  const { signal, onDelta, onRestart } = options;
  if (signal === undefined || sharedSignal === undefined) return options;
  return {
    ...options,
    signal: sharedSignal,
    ...(onDelta === undefined
      ? {}
      : {
          onDelta: (delta) => {
            if (!signal.aborted) onDelta(delta);
          },
        }),
    ...(onRestart === undefined
      ? {}
      : {
          onRestart: () => {
            if (!signal.aborted) onRestart();
          },
        }),
  };
}
