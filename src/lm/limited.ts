import PQueue from "p-queue";
import type { LanguageModel } from "../contract/index.ts";

/** Lets so many calls through at a time. One for each server, shared by all who call it. */
export interface Limiter {
  /** Rejects with the signal's reason, at once if the task still waits. */
  run<TResult>(task: () => Promise<TResult>, signal?: AbortSignal): Promise<TResult>;
}

/** @param concurrency largest number of calls at a time, at least 1 */
export function limiter(concurrency: number): Limiter {
  const queue = new PQueue({ concurrency });
  return { run: (task, signal) => queue.add(task, signal === undefined ? {} : { signal }) };
}

/** Queues calls; nothing else in the framework does. */
export function limited(lm: LanguageModel, shared: Limiter): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: (request, options) =>
      shared.run(() => lm.doGenerate(request, options), options?.signal),
  };
}
