import type { LanguageModel } from "../../contract/index.ts";
import { checkCount, semaphore } from "../../internal/index.ts";

/** Lets so many calls through at a time. One for each server, shared by all who call it. */
export interface Limiter {
  /**
   * Rejects with the signal's reason while the task waits. Once it runs, its own end is the end of
   * its slot: until a call that was aborted has ended, the server may still be at it.
   */
  run<TResult>(task: () => Promise<TResult>, signal?: AbortSignal): Promise<TResult>;
  /**
   * For calls in the role `shadow`, which nobody waits for: slots beside the others, since a call
   * that is waited for must not wait for one of these. A quarter as many.
   */
  readonly shadows: Pick<Limiter, "run">;
}

/**
 * @param concurrency largest number of calls at a time, shadows apart; at least 1
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
export function limited(lm: LanguageModel, shared: Limiter): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: (request, options) => {
      const { role, signal, onWaiting } = options ?? {};
      const kind = role === "shadow" ? shared.shadows : shared;
      const ended = onWaiting && toldOfWaiting(onWaiting);
      const call = kind.run(() => {
        ended?.();
        return lm.doGenerate(request, options);
      }, signal);
      return ended === undefined ? call : call.finally(ended);
    },
  };
}

/** Says that a call waits; what comes back says, once, that it does not any more. */
function toldOfWaiting(onWaiting: (isWaiting: boolean) => void): () => void {
  let isWaiting = true;
  onWaiting(true);
  return () => {
    if (isWaiting) onWaiting(false);
    isWaiting = false;
  };
}
