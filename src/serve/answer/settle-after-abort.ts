import type { ChatOutcome } from "../model/chat-exchange.ts";
import { noUsage } from "../model/chat-exchange.ts";

/**
 * A program that ignores its signal must not block the client, or a slot, forever: some time after
 * the abort its run counts as failed. Its usage is then unknown.
 */
export async function settleAfterAbort(
  run: Promise<ChatOutcome>,
  { signal, version }: { readonly signal: AbortSignal; readonly version: string },
): Promise<ChatOutcome> {
  const stuck = Promise.withResolvers<ChatOutcome>();
  let patience: NodeJS.Timeout | undefined;
  const wait = (): void => {
    patience = setTimeout(() => stuck.resolve({ ...abandonedOutcome, version }), patienceMs);
  };
  signal.addEventListener("abort", wait, { once: true });
  try {
    return await Promise.race([run, stuck.promise]);
  } finally {
    signal.removeEventListener("abort", wait);
    clearTimeout(patience);
  }
}

const patienceMs = 2_000;

const abandonedOutcome: Omit<ChatOutcome, "version"> = {
  answer: "",
  citations: [],
  contexts: [],
  usage: noUsage,
  trace: null,
  failure: {
    kind: "aborted",
    code: "aborted",
    message: "The program kept running after it was aborted.",
  },
};
