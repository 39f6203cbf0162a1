import { failureOf } from "../../errors/index.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { exitCodes } from "./exit-code.ts";

/**
 * npm and npx pass a signal on to a process that the terminal has sent it to as well: signals that
 * come this close together are one Ctrl-C.
 */
const sameKeyMs = 250;

/** Signals are of the process, and so is what this file has said of them. */
let announced = false;

/** Listens while a command starts, until it has work that a signal can end in order. */
let onStartUp: (() => void) | undefined;

/** Until `abortOnInterrupt`, Ctrl-C ends the process with a word. */
export function sayInterrupted(): Disposable {
  onStartUp = () => {
    printToStderr("Interrupted during start-up: no work had begun.");
    process.exit(exitCodes.aborted);
  };
  process.on("SIGINT", onStartUp);
  return { [Symbol.dispose]: endStartUp };
}

function endStartUp(): void {
  if (onStartUp !== undefined) process.off("SIGINT", onStartUp);
  onStartUp = undefined;
}

/**
 * Turns Ctrl-C or SIGTERM into an abort signal, with one message. A second one ends the process
 * immediately.
 *
 * @param advice a sentence on how to go on later, empty while there is nothing to go on with
 * @param ending what the process does until it ends
 */
export function abortOnInterrupt(
  advice: () => string = () => "",
  ending = "ending the calls in flight",
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  let firstAt = 0;
  const onInterrupt = (): void => {
    if (controller.signal.aborted) {
      if (performance.now() - firstAt >= sameKeyMs) process.exit(exitCodes.aborted);
      return;
    }
    firstAt = performance.now();
    const message = `Interrupted: ${ending}; press Ctrl-C again to stop at once.`;
    printToStderr(`${message} ${advice()}`.trimEnd());
    announced = true;
    controller.abort();
  };
  endStartUp();
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

/** Whether an error is of an interruption that has been told of already. */
export function isAnnounced(error: unknown): boolean {
  return announced && failureOf(error).code === "aborted";
}
