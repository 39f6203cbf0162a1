import type { Clock } from "../../internal/index.ts";
import { ApiError } from "../api-error/api-error.ts";
import { fairSlots } from "./fair-slots.ts";

/** Limits concurrent and waiting runs, and refuses any others. */
export interface Admission {
  readonly running: number;
  readonly waiting: number;
  /**
   * @param of the API key that asks; keys take turns, and none may have more than its share of
   *   waiting places
   * @returns the task's promise, which rejects with the signal's reason while the task waits
   * @throws ApiError 429, at once, if the queue is full
   */
  admit<TResult>(
    task: () => Promise<TResult>,
    of: { readonly apiKey?: string; readonly signal: AbortSignal },
  ): Promise<TResult>;
  /** Refuses the waiting tasks of revoked keys. */
  dismiss(revoked: readonly string[]): void;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

export function admission({
  slots,
  queue: longest,
  hasSeveralKeys = () => true,
  clock,
}: {
  readonly slots: number;
  /** Maximum waiting runs; 0 allows none. */
  readonly queue: number;
  /** Whether to keep places free for other keys now. @default true */
  readonly hasSeveralKeys?: () => boolean;
  readonly clock: Clock;
}): Admission {
  const all = fairSlots(slots);
  let averageMs = 1_000;

  const timed = async <TResult>(task: () => Promise<TResult>): Promise<TResult> => {
    const startedAt = clock.now();
    try {
      return await task();
    } finally {
      averageMs += 0.2 * (clock.now() - startedAt - averageMs);
    }
  };
  const busy = (code: string, message: string): ApiError => {
    const seconds = Math.ceil((averageMs * (all.waiting + 1)) / slots / 1_000);
    return new ApiError(429, code, message, {
      retryAfterSeconds: Math.min(Math.max(seconds, 1), 60),
    });
  };
  /**
   * Dynamic thresholds of Choudhury and Hahne (1998): a key may not wait in more places than it
   * leaves free.
   */
  const checkPlace = (key: string | undefined): void => {
    const free = longest - all.waiting;
    if (free <= 0) throw busy("server_busy", "The server has too many requests in its queue.");
    if (key === undefined || !hasSeveralKeys() || all.waitingOf(key) < free) return;
    throw busy("key_busy", "This key has too many requests in the queue.");
  };
  return {
    get running() {
      return all.running;
    },
    get waiting() {
      return all.waiting;
    },
    admit: (task, { apiKey: key, signal }) => {
      if (all.running >= slots) checkPlace(key);
      return all.run(() => timed(task), { key, signal });
    },
    dismiss: (revoked) => {
      for (const key of revoked) {
        all.dismiss(key, new ApiError(401, "invalid_api_key", "The key has been revoked."));
      }
    },
    idle: () => all.idle(),
  };
}
