import { LmError } from "../errors/index.ts";
import type { LanguageModel, LmCallOptions } from "../contract/index.ts";
import type { Clock, RandomSource } from "../internal/index.ts";
import { randomSource, systemClock } from "../internal/index.ts";

export interface RetryOptions {
  /** Requests at most, the first included. @default 12 */
  readonly attempts?: number;
  /** Upper end of the first pause, in milliseconds; it doubles with each attempt. @default 250 */
  readonly baseDelayMs?: number;
  /** Upper end of every drawn pause, in milliseconds. @default 30_000 */
  readonly maxDelayMs?: number;
  /**
   * Most of the server's own wish (`Retry-After`) that is granted, in milliseconds; the drawn pause
   * comes on top. @default 300_000
   */
  readonly maxRetryAfterMs?: number;
  /** Draws the pauses; replies do not depend on it. */
  readonly random?: RandomSource;
  readonly clock?: Clock;
}

/**
 * Asks again after a fault that may pass, with exponential pauses and full jitter: uniform between
 * 0 and the upper end, plus what the server asked for, up to a limit. A stream is not asked for again
 * once a piece was handed on, since that cannot be taken back.
 */
export function retried(
  lm: LanguageModel,
  {
    attempts = 12,
    baseDelayMs = 250,
    maxDelayMs = 30_000,
    maxRetryAfterMs = 300_000,
    random = randomSource(0, "lm-retry"),
    clock = systemClock,
  }: RetryOptions = {},
): LanguageModel {
  const pauseMs = (attempt: number, retryAfterMs = 0): number =>
    Math.min(maxRetryAfterMs, retryAfterMs) +
    random.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));

  return {
    identity: lm.identity,
    doGenerate: async (request, options: LmCallOptions = {}) => {
      const { signal, onDelta } = options;
      let isShown = false;
      const attemptOptions: LmCallOptions =
        onDelta === undefined
          ? options
          : {
              ...options,
              onDelta: (delta) => {
                isShown = true;
                onDelta(delta);
              },
            };
      for (let attempt = 1; ; attempt++) {
        try {
          return await lm.doGenerate(request, attemptOptions);
        } catch (error) {
          const isFinal = attempt >= attempts || isShown || !LmError.isInstance(error);
          if (isFinal || !error.isRetryable) throw error;
          await clock.sleep(pauseMs(attempt, error.retryAfterMs), signal);
        }
      }
    },
  };
}
