import type { LanguageModel, LmCallOptions, LmReply, LmRequest } from "../../contract/index.ts";
import { checkCount } from "../../internal/index.ts";
import { sharedPrefixId } from "./prefix-id.ts";

export interface WarmedOptions {
  /**
   * Streams the first request, so that the others wait only for its first token. Only for servers
   * that report usage in a stream. @default false
   */
  readonly streams?: boolean;
  /** Prefixes remembered; the least recently used one is forgotten first. @default 10_000 */
  readonly keptPrefixes?: number;
}

/**
 * Sends one request of each prefix first, and the others once its first token has arrived: a server
 * with a prefix cache then computes the prefix once. Requests that arrive together would all miss,
 * since a block can be found only after it was computed. Changes only when requests are sent; if a
 * first request fails, the next one takes its place.
 *
 * @throws EspalierError `option-invalid`
 */
export function warmed(
  lm: LanguageModel,
  { streams = false, keptPrefixes = 10_000 }: WarmedOptions = {},
): LanguageModel {
  checkCount("keptPrefixes", keptPrefixes);
  const warm = new Set<string>();
  const warming = new Map<string, Promise<void>>();

  const keep = (prefix: string): void => {
    warm.delete(prefix);
    warm.add(prefix);
    for (const oldest of warm) {
      if (warm.size <= keptPrefixes) break;
      warm.delete(oldest);
    }
  };

  async function lead(
    prefix: string,
    request: LmRequest,
    options: LmCallOptions,
  ): Promise<LmReply> {
    const { promise, resolve } = Promise.withResolvers<void>();
    warming.set(prefix, promise);
    const { onDelta = streams ? () => {} : undefined } = options;
    const open = (): void => {
      keep(prefix);
      resolve();
    };
    try {
      const reply = await lm.doGenerate(request, {
        ...options,
        ...(onDelta && {
          onDelta: (delta) => {
            open();
            onDelta(delta);
          },
        }),
      });
      open();
      return reply;
    } finally {
      warming.delete(prefix);
      resolve();
    }
  }

  return {
    identity: lm.identity,
    doGenerate: async (request, options = {}) => {
      const prefix = sharedPrefixId(request);
      if (prefix === undefined) return lm.doGenerate(request, options);
      while (!warm.has(prefix)) {
        const leader = warming.get(prefix);
        if (leader === undefined) return lead(prefix, request, options);
        await unlessAborted(leader, options.signal);
      }
      keep(prefix);
      return lm.doGenerate(request, options);
    },
  };
}

/** Rejects with the signal's reason as soon as it fires. */
async function unlessAborted(
  promise: Promise<void>,
  // Calls with and without a signal must wake in the order they came.
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
