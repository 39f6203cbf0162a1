import { AsyncResource } from "node:async_hooks";

/**
 * Limits the number of concurrent tasks; the others wait, first come, first served. Unlike in
 * p-queue, a task that is aborted while it runs keeps its place until it has ended.
 */
export interface Semaphore {
  readonly running: number;
  readonly waiting: number;
  /**
   * The task's promise. It rejects with the signal's reason while the task waits. A running task
   * handles the signal itself: its place becomes free when it has ended, not when it is aborted.
   */
  run<TResult>(task: () => Promise<TResult>, signal?: AbortSignal): Promise<TResult>;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

/** @param count at least 1 */
export function semaphore(count: number): Semaphore {
  // In order of arrival; a set, so that leaving takes constant time.
  const waiting = new Set<() => void>();
  let running = 0;
  let idle = Promise.withResolvers<void>();

  const start = async <TResult>(task: () => Promise<TResult>): Promise<TResult> => {
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      const [next] = waiting;
      next?.();
      if (running === 0) {
        idle.resolve();
        idle = Promise.withResolvers();
      }
    }
  };
  const queued = <TResult>(task: () => Promise<TResult>, signal?: AbortSignal): Promise<TResult> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(begin);
        reject(signal?.reason as Error);
      };
      // The task runs in its caller's async context, and not in that of the task that made room.
      const scope = new AsyncResource("SemaphoreWaiter");
      const begin = (): void => {
        waiting.delete(begin);
        signal?.removeEventListener("abort", leave);
        scope.runInAsyncScope(() => resolve(start(task)));
      };
      waiting.add(begin);
      signal?.addEventListener("abort", leave, { once: true });
    });
  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting.size;
    },
    run: (task, signal) => {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      return running < count ? start(task) : queued(task, signal);
    },
    idle: () => (running === 0 ? Promise.resolve() : idle.promise),
  };
}
