import type { Clock } from "../../internal/index.ts";
import { slots as newSlots } from "../../internal/index.ts";
import { ApiError } from "./api-error.ts";

/** Lets so many runs be at a time, lets so many wait, and refuses the others. */
export interface Admission {
  readonly running: number;
  readonly waiting: number;
  /**
   * @returns the task's promise, which rejects with the signal's reason while the task waits
   * @throws ApiError 429, at once, when as many wait as may
   */
  admit<TResult>(task: () => Promise<TResult>, signal: AbortSignal): Promise<TResult>;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

export function admission({
  slots,
  queue: longest,
  clock,
}: {
  readonly slots: number;
  /** 0: nobody waits. */
  readonly queue: number;
  readonly clock: Clock;
}): Admission {
  const all = newSlots(slots);
  let averageMs = 1_000;

  const timed = async <TResult>(task: () => Promise<TResult>): Promise<TResult> => {
    const startedAt = clock.now();
    try {
      return await task();
    } finally {
      averageMs += 0.2 * (clock.now() - startedAt - averageMs);
    }
  };
  return {
    get running() {
      return all.running;
    },
    get waiting() {
      return all.waiting;
    },
    admit: (task, signal) => {
      const isFull = all.running >= slots && all.waiting >= longest;
      if (!isFull) return all.run(() => timed(task), signal);
      const seconds = Math.ceil((averageMs * (all.waiting + 1)) / slots / 1_000);
      throw new ApiError(429, "server_busy", "Too many questions are being answered.", {
        retryAfterSeconds: Math.min(Math.max(seconds, 1), 60),
      });
    },
    idle: () => all.idle(),
  };
}
