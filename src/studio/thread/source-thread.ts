import type { Worker } from "node:worker_threads";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { SourceWork } from "./source-work.ts";
import type { ThreadAnswer, ThreadRequest } from "./thread-messages.ts";

/** Work on sources in a thread of its own, so that pages are answered meanwhile. */
export interface SourceThread extends SourceWork, AsyncDisposable {}

/**
 * The thread begins with the first request, and begins anew after it has died.
 *
 * @param start starts a thread whose module calls `answerInThread`
 */
export function sourceThread(start: () => Worker): SourceThread {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let [worker, count] = [undefined as Worker | undefined, 0];

  const answered = ({ number, value, problem, own }: ThreadAnswer): void => {
    const asked = waiting.get(number);
    waiting.delete(number);
    if (own !== undefined) asked?.reject(new EspalierError(own));
    else if (problem !== undefined) asked?.reject(new Error(problem));
    else asked?.resolve(value);
  };
  const failed = (problem: string): void => {
    worker = undefined;
    for (const number of waiting.keys()) answered({ number, problem });
  };
  const started = (): Worker => {
    const thread = start();
    // The server keeps the process alive, not its thread.
    thread.unref();
    thread.on("message", answered);
    thread.on("error", (error) => failed(`The studio's thread has failed: ${messageOf(error)}`));
    thread.on("exit", () => {
      if (worker === thread) failed("The studio's thread has ended.");
    });
    return thread;
  };
  const ask =
    (name: ThreadRequest["name"]) =>
    async <TAnswer>(given: unknown): Promise<TAnswer> => {
      worker ??= started();
      const number = ++count;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(number, asked);
      const request: ThreadRequest = { number, name, given };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not a window
      worker.postMessage(request);
      return (await asked.promise) as TAnswer;
    };
  return {
    loadStudies: ask("loadStudies"),
    compare: ask("compare"),
    figures: ask("figures"),
    server: ask("server"),
    rollout: ask("rollout"),
    [Symbol.asyncDispose]: async () => {
      const ending = worker;
      failed("The studio has ended.");
      await ending?.terminate();
    },
  };
}
