import type { FeedbackWriter } from "./feedback-writer.ts";

/** Erases what is too old now and each hour, also where nobody asks; ends with the returned value. */
export function pruneRegularly(writer: FeedbackWriter): Disposable {
  writer.prune();
  const timer = setInterval(() => writer.prune(), 60 * 60 * 1_000).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
