import type { ChatOutcome } from "./chat-outcome.ts";

/**
 * A program that passes over its signal must not keep the client, or a slot, waiting for ever: some time
 * after the abort its run is `null`.
 */
export async function unlessStuck(
  run: Promise<ChatOutcome>,
  signal: AbortSignal,
): Promise<ChatOutcome | null> {
  const stuck = Promise.withResolvers<null>();
  let patience: NodeJS.Timeout | undefined;
  const wait = (): void => {
    patience = setTimeout(() => stuck.resolve(null), patienceMs);
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
