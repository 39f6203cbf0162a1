import type { LanguageModel, LmCallOptions, LmReply } from "../contract/index.ts";
import type { SharedCall } from "../internal/index.ts";
import { sharedCall } from "../internal/index.ts";
import { callKeys } from "./call-key.ts";
import { handOver } from "./hand-over.ts";
import type { ReplyCache } from "./reply-cache.ts";

/**
 * Answers a repeated call from a cache. Identical calls in flight become one: the first is billed,
 * the others count as cached. Errors are not kept; replies cut off at the token limit are, being
 * what the model says.
 */
export function cached(lm: LanguageModel, cache: ReplyCache): LanguageModel {
  const keyOf = callKeys(lm.identity);
  const inFlight = new Map<string, SharedCall<LmReply>>();

  return {
    identity: lm.identity,
    doGenerate: async (request, options: LmCallOptions = {}) => {
      const { signal, repetition = 0 } = options;
      signal?.throwIfAborted();
      const key = keyOf(request, repetition);
      const kept = cache.get(key);
      if (kept !== undefined) return handOver({ ...kept, source: "cache" }, options);

      const running = inFlight.get(key);
      if (running !== undefined) {
        const reply = await running.join(signal);
        return handOver({ ...reply, source: "cache" }, options);
      }

      const ask = async (sharedSignal: AbortSignal | undefined): Promise<LmReply> => {
        try {
          const reply = await lm.doGenerate(request, sharedOptions(options, sharedSignal));
          cache.set(key, reply);
          return reply;
        } finally {
          if (inFlight.get(key) === call) inFlight.delete(key);
        }
      };
      const call = sharedCall(ask, () => inFlight.delete(key));
      inFlight.set(key, call);
      return call.join(signal);
    },
  };
}

/** A caller that has given up sees no more pieces, though others may still wait for the reply. */
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
