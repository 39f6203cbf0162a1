import { AsyncResource } from "node:async_hooks";
import type { Clock } from "../../internal/index.ts";
import { ApiError } from "../api-error/api-error.ts";

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

/**
 * Limits concurrent tasks. The others wait by key, and keys take turns: a key with many tasks
 * delays another no longer than a key with few. Differs from `semaphore`, which knows no keys.
 */
interface FairSlots {
  readonly running: number;
  readonly waiting: number;
  waitingOf(key: string | undefined): number;
  /**
   * Returns the task's promise. It rejects with the signal's reason while the task waits; once the
   * task runs, the task itself must react to the signal, and its end, not the abort, frees the
   * slot.
   */
  run<TResult>(
    task: () => Promise<TResult>,
    of: { readonly key: string | undefined; readonly signal: AbortSignal },
  ): Promise<TResult>;
  /** Rejects the waiting tasks of this key; running ones continue. */
  dismiss(key: string, reason: Error): void;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

interface Waiting {
  begin(): void;
  leave(reason: unknown): void;
}

interface Group {
  running: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiting>;
}

/** @param count maximum concurrent tasks, at least 1 */
export function fairSlots(count: number): FairSlots {
  /** Keys with running or waiting tasks, in the order of their turns. */
  const groups = new Map<string | undefined, Group>();
  let running = 0;
  let waiting = 0;
  let idle = Promise.withResolvers<void>();

  const groupOf = (key: string | undefined): Group => {
    const group = groups.get(key) ?? { running: 0, waiting: new Set() };
    groups.set(key, group);
    return group;
  };
  const forgetEmpty = (key: string | undefined): void => {
    const group = groups.get(key);
    if (group?.running === 0 && group.waiting.size === 0) groups.delete(key);
  };
  const start = async <TResult>(
    task: () => Promise<TResult>,
    key: string | undefined,
  ): Promise<TResult> => {
    const group = groupOf(key);
    running += 1;
    group.running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      group.running -= 1;
      startWaiting();
      forgetEmpty(key);
      if (running === 0) {
        idle.resolve();
        idle = Promise.withResolvers();
      }
    }
  };
  const startWaiting = (): void => {
    while (running < count) {
      const next = takeTurn();
      if (next === undefined) return;
      next.begin();
    }
  };
  const takeTurn = (): Waiting | undefined => {
    if (waiting === 0) return undefined;
    for (const [key, group] of groups) {
      const [next] = group.waiting;
      if (next === undefined) continue;
      // The other keys get their turn before this one gets another.
      groups.delete(key);
      groups.set(key, group);
      return next;
    }
    return undefined;
  };
  const queued = <TResult>(
    task: () => Promise<TResult>,
    { key, signal }: { readonly key: string | undefined; readonly signal: AbortSignal },
  ): Promise<TResult> =>
    new Promise((resolve, reject) => {
      const group = groupOf(key);
      const remove = (): void => {
        group.waiting.delete(self);
        waiting -= 1;
        signal.removeEventListener("abort", onAbort);
      };
      const self: Waiting = {
        // Run in the async context of the waiting task, not of the one that freed the slot.
        begin: AsyncResource.bind((): void => {
          remove();
          resolve(start(task, key));
        }),
        leave: (reason) => {
          remove();
          forgetEmpty(key);
          reject(reason);
        },
      };
      const onAbort = (): void => self.leave(signal.reason);
      group.waiting.add(self);
      waiting += 1;
      signal.addEventListener("abort", onAbort, { once: true });
    });
  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    waitingOf: (key) => groups.get(key)?.waiting.size ?? 0,
    run: (task, { key, signal }) => {
      if (signal.aborted) return Promise.reject(signal.reason);
      return running < count ? start(task, key) : queued(task, { key, signal });
    },
    dismiss: (key, reason) => {
      for (const each of groups.get(key)?.waiting ?? []) each.leave(reason);
    },
    idle: () => (running === 0 ? Promise.resolve() : idle.promise),
  };
}
