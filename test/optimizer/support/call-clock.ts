import type { LanguageModel } from "espalier";
import type { Clock } from "../../../src/internal/index.ts";

/** A clock that only calls of the LM move on, so that a cap on time comes at the same call. */
export function callClock(
  { identity, doGenerate }: LanguageModel,
  msPerCall: number,
): { readonly clock: Clock; readonly lm: LanguageModel } {
  let now = 0;
  const waiting = new Set<() => void>();
  return {
    clock: {
      now: () => now,
      sleep: async (ms, signal) => {
        const until = now + ms;
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const look = (): void => {
          if (now >= until) resolve();
        };
        waiting.add(look);
        signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        look();
        return promise.finally(() => waiting.delete(look));
      },
    },
    lm: {
      identity,
      doGenerate: async (request, options) => {
        now += msPerCall;
        for (const look of waiting) look();
        // The abort comes before the reply.
        await Promise.resolve();
        options?.signal?.throwIfAborted();
        return doGenerate(request, options);
      },
    },
  };
}
