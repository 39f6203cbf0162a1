import type {
  LanguageModel,
  LmCallOptions,
  LmIdentity,
  LmReply,
  LmRequest,
} from "../../contract/index.ts";
import type { SingleFlight } from "../../internal/index.ts";
import { contentHash, singleFlight } from "../../internal/index.ts";
import type { ReplyCache } from "./reply-cache.ts";
import type { EspalierErrorOptions } from "../../errors/index.ts";
import { LmError } from "../../errors/index.ts";

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

/** Identifies a call by everything its reply depends on: 64 hexadecimal digits. */
export type CallKey = (request: LmRequest, repetition: number) => string;

/**
 * Keys over model, whole request and repetition. Many requests share schema and sampling objects,
 * so each object is hashed once; this is sound because neither ever changes.
 */
export function callKeys(identity: LmIdentity): CallKey {
  const hashes = new WeakMap<object, string>();
  const hashOf = (shared: object | undefined): string | undefined => {
    if (shared === undefined) return undefined;
    let hash = hashes.get(shared);
    if (hash === undefined) hashes.set(shared, (hash = contentHash(shared)));
    return hash;
  };
  return (request, repetition) => {
    const { sampling, responseSchema, tools } = request;
    const shared = {
      sampling: hashOf(sampling),
      responseSchema: hashOf(responseSchema),
      ...(tools && { tools: hashOf(tools) }),
    };
    return contentHash({ identity, repetition, request: { ...request, ...shared } });
  };
}

/** Delivers a complete reply to a caller that asked for a stream: in one piece. */
function deliverWholeReply(reply: LmReply, { onDelta }: LmCallOptions): LmReply {
  const { content, reasoning } = reply;
  if (onDelta !== undefined && (content || reasoning)) {
    onDelta({ ...(content ? { content } : {}), ...(reasoning ? { reasoning } : {}) });
  }
  return reply;
}

/**
 * Takes the place of the server behind a cache that alone may answer.
 *
 * @param onMissing is told whose call has no reply, since a caller may catch the error
 */
export function cacheOnly(
  identity: LmIdentity,
  about: Pick<EspalierErrorOptions, "problem" | "fix">,
  onMissing?: (exampleId: string | undefined) => void,
): LanguageModel {
  return {
    identity,
    doGenerate: (_, { callPath, exampleId } = {}) => {
      onMissing?.(exampleId);
      return Promise.reject(
        new LmError({
          code: "lm-reply-missing",
          where: [exampleId, callPath].filter(Boolean).join(", "),
          ...about,
        }),
      );
    },
  };
}
