import { linkedAbort } from "../../internal/index.ts";

/** Watches one request: aborts it when the caller aborts or after too long a silence. */
export interface StallGuard {
  readonly signal: AbortSignal;
  readonly isStalled: boolean;
  /** Call when data arrives: restarts the silence timer. */
  touch(): void;
  /** Call when the request has ended. */
  stop(): void;
  /** Call when the caller is done with the request: aborts whatever is still running. */
  abandon(): void;
}

/** @param timeoutMs longest silence tolerated, in milliseconds */
export function stallGuard(timeoutMs: number, callerSignal?: AbortSignal): StallGuard {
  const request = linkedAbort([callerSignal]);
  let isStalled = false;
  const timer = setTimeout(() => {
    isStalled = true;
    request.abort();
  }, timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    request.release();
  };
  return {
    signal: request.signal,
    get isStalled() {
      return isStalled;
    },
    touch: () => void timer.refresh(),
    stop,
    abandon: () => {
      stop();
      request.abort(requestIsOver);
    },
  };
}

/** Shared by all requests: creating one takes longer than aborting. */
const requestIsOver = new DOMException("This operation was aborted", "AbortError");
