import PQueue from "p-queue";

/** Lets so many tasks run at a time; the others wait, first come, first served. */
export interface Slots {
  readonly running: number;
  readonly waiting: number;
  /**
   * The task's promise. It rejects with the signal's reason while the task waits; once it runs, the task
   * itself heeds the signal: its end, and not the abort, is the end of its slot.
   */
  run<TResult>(task: () => Promise<TResult>, signal?: AbortSignal): Promise<TResult>;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

/** @param count at least 1 */
export function slots(count: number): Slots {
  const queue = new PQueue({ concurrency: count });

  const queued = <TResult>(task: () => Promise<TResult>, signal: AbortSignal): Promise<TResult> => {
    const waiting = new AbortController();
    const leave = (): void => waiting.abort(signal.reason);
    const stay = (): void => signal.removeEventListener("abort", leave);
    signal.addEventListener("abort", leave, { once: true });
    const started = (): Promise<TResult> => {
      stay();
      return task();
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
    run: (task, signal) => {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      const isWaiting = queue.pending >= count;
      return isWaiting && signal !== undefined ? queued(task, signal) : queue.add(task);
    },
    idle: () => queue.onIdle(),
  };
}
