import { linkedAbort } from "../../internal/index.ts";

/** Watches one request: aborts it when the caller does, or when nothing was heard for too long. */
export interface StallGuard {
  readonly signal: AbortSignal;
  readonly isStalled: boolean;
  /** Something arrived: the silence starts anew. */
  touch(): void;
  /** The request is over. */
  stop(): void;
  /** The request is over for the caller: what still runs of it is aborted. */
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

/** One for all requests: to make one takes longer than to abort. */
const requestIsOver = new DOMException("This operation was aborted", "AbortError");
