import PQueue from "p-queue";
import type { Clock } from "../../internal/index.ts";
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
  const queue = new PQueue({ concurrency: slots });
  let averageMs = 1_000;

  const timed = async <TResult>(task: () => Promise<TResult>): Promise<TResult> => {
    const startedAt = clock.now();
    try {
      return await task();
    } finally {
      averageMs += 0.2 * (clock.now() - startedAt - averageMs);
    }
  };
  /** Once it runs, the task itself heeds the signal: its end, and not the abort, is the end of its slot. */
  const queued = <TResult>(task: () => Promise<TResult>, signal: AbortSignal): Promise<TResult> => {
    const waiting = new AbortController();
    const leave = (): void => waiting.abort(signal.reason);
    const stay = (): void => signal.removeEventListener("abort", leave);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    const started = (): Promise<TResult> => {
      stay();
      return timed(task);
    };
    return queue.add(started, { signal: waiting.signal }).finally(stay);
  };
  return {
    get running() {
      return queue.pending;
    },
    get waiting() {
      return queue.size;
    },
    admit: (task, signal) => {
      const isFull = queue.pending >= slots && queue.size >= longest;
      if (!isFull) return queued(task, signal);
      const seconds = Math.ceil((averageMs * (queue.size + 1)) / slots / 1_000);
      throw new ApiError(429, "server_busy", "Too many questions are being answered.", {
        retryAfterSeconds: Math.min(Math.max(seconds, 1), 60),
      });
    },
    idle: () => queue.onIdle(),
  };
}
