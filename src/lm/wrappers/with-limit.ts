import type { LanguageModel } from "../../contract/index.ts";
import { checkCount, semaphore } from "../../internal/index.ts";

/** Limits the number of concurrent calls. One per server, shared by all its callers. */
export interface Limiter {
  /**
   * Rejects with the signal's reason if aborted while the task waits. A running task holds its slot
   * until it ends by itself: the server may still be working on an aborted call until then.
   */
  run<TResult>(task: () => Promise<TResult>, signal?: AbortSignal): Promise<TResult>;
  /**
   * For calls in the role `shadow`, which no client awaits: separate slots, a quarter as many, so
   * that a call somebody waits for never queues behind a shadow.
   */
  readonly shadows: Pick<Limiter, "run">;
}

/**
 * @param concurrency maximum concurrent calls, not counting shadows; at least 1
 * @throws EspalierError `option-invalid`
 */
export function limiter(concurrency: number): Limiter {
  checkCount("concurrency", concurrency);
  const awaited = semaphore(concurrency);
  return {
    run: (task, signal) => awaited.run(task, signal),
    shadows: semaphore(Math.ceil(concurrency / 4)),
  };
}

/** Queues calls; nothing else in the framework does. */
export function withLimit(lm: LanguageModel, shared: Limiter): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: (request, options) => {
      const { role, signal, onWaiting } = options ?? {};
      const kind = role === "shadow" ? shared.shadows : shared;
      const ended = onWaiting && reportWaiting(onWaiting);
      const call = kind.run(() => {
        ended?.();
        return lm.doGenerate(request, options);
      }, signal);
      return ended === undefined ? call : call.finally(ended);
    },
  };
}

/** Reports that a call waits; the returned function reports, once, that it no longer does. */
function reportWaiting(onWaiting: (isWaiting: boolean) => void): () => void {
  let isWaiting = true;
  onWaiting(true);
  return () => {
    if (isWaiting) onWaiting(false);
    isWaiting = false;
  };
}
