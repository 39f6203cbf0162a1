/** Ctrl-C as an abort signal. A second one ends the process at once. */
import { tell } from "../terminal/terminal.ts";
export function abortOnInterrupt(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    tell("\nEnding what is in flight; press Ctrl-C again to stop at once.");
    controller.abort();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onInterrupt);
    },
  };
}
