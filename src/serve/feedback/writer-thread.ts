import { Worker } from "node:worker_threads";
import { messageOf } from "../../errors/index.ts";
import type { BatchOutcome, WriteItem, WriterSettings } from "./write-batch.ts";

/** A thread that writes batches, one at a time; it restarts if it ends by itself. */
export function writerThread(settings: WriterSettings): {
  /** Never rejects. */
  readonly write: (items: readonly WriteItem[]) => Promise<BatchOutcome>;
  /**
   * Ends the thread, also within a batch. A thread that is blocked on a disk cannot end before the
   * disk responds, and is left behind.
   */
  readonly end: () => Promise<void>;
} {
  let worker: Worker | undefined;
  let asked: PromiseWithResolvers<BatchOutcome> | undefined;
  const answer = (outcome: BatchOutcome): void => {
    asked?.resolve(outcome);
    asked = undefined;
  };
  const start = (): Worker => {
    const started = new Worker(new URL(`feedback-thread${extension}`, import.meta.url), {
      workerData: settings,
    });
    // Only `close` waits for queued writes; otherwise they do not keep the process alive.
    started.unref();
    started.on("message", answer);
    started.on("error", (error) => answer({ state: "failed", problem: messageOf(error) }));
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      answer({ state: "failed", problem: "The writer thread has exited." });
    });
    return started;
  };
  return {
    write: (items) => {
      asked = Promise.withResolvers<BatchOutcome>();
      const { promise } = asked;
      try {
        worker ??= start();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not a window
        worker.postMessage(items);
      } catch (error) {
        answer({ state: "failed", problem: messageOf(error) });
      }
      return promise;
    },
    end: async () => {
      const ending = worker;
      worker = undefined;
      if (ending === undefined) return;
      const { promise: isOver, resolve } = Promise.withResolvers<void>();
      ending.once("exit", () => resolve());
      const patience = setTimeout(resolve, endPatienceMs);
      if (asked !== undefined) void ending.terminate();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not a window
      else ending.postMessage("close");
      await isOver;
      clearTimeout(patience);
    },
  };
}

/** A healthy thread ends in milliseconds. */
const endPatienceMs = 2_000;

/** The extension of this module: `.ts` from source, `.js` in the build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
