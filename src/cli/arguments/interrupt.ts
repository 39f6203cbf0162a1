import { printToStderr } from "../terminal/terminal.ts";

/** Turns Ctrl-C into an abort signal. A second Ctrl-C ends the process immediately. */
export function abortOnInterrupt(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    printToStderr("\nFinishing calls in flight; press Ctrl-C again to stop immediately.");
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
