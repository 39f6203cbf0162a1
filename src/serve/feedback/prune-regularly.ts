import { messageOf } from "../../errors/index.ts";
import type { ServerLog } from "../http/server-log.ts";
import type { FeedbackStore } from "./open-feedback.ts";

/** Erases what is too old now and each hour, also where nobody asks; ends with the returned value. */
export function pruneRegularly(store: FeedbackStore, log: ServerLog): Disposable {
  const prune = (): void => {
    try {
      store.prune();
    } catch (error) {
      log("feedback-unpruned", { problem: messageOf(error) });
    }
  };
  prune();
  const timer = setInterval(prune, 60 * 60 * 1_000).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
