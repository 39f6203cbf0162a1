import { LmError } from "../errors/index.ts";
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

/** Asks until a reply comes or the attempts are used up; then it rejects with the last fault. */
export type Retry = <TReply>(
  ask: () => Promise<TReply>,
  options: {
    /** Ends a pause; the request in flight is the asker's to end. */
    readonly signal?: AbortSignal | undefined;
    /** Whether what was shown of the failed attempt forbids another. */
    readonly isShown?: () => boolean;
  },
) => Promise<TReply>;

/** The one rule of retrying, for every kind of model; see `retried`. */
export function retry({
  attempts = 12,
  baseDelayMs = 250,
  maxDelayMs = 30_000,
  maxRetryAfterMs = 300_000,
  random = randomSource(0, "lm-retry"),
  clock = systemClock,
}: RetryOptions): Retry {
  const pauseMs = (attempt: number, retryAfterMs = 0): number =>
    Math.min(maxRetryAfterMs, retryAfterMs) +
    random.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));

  return async (ask, { signal, isShown = () => false }) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        const isFinal = attempt >= attempts || isShown() || !LmError.isInstance(error);
        if (isFinal || !error.isRetryable) throw error;
        await clock.sleep(pauseMs(attempt, error.retryAfterMs), signal);
      }
    }
  };
}
