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
  // Not AbortSignal.any(): it is kept for as long as the caller's signal lives.
  const controller = new AbortController();
  const forward = (): void => controller.abort(callerSignal?.reason);
  callerSignal?.addEventListener("abort", forward, { once: true });
  if (callerSignal?.aborted === true) forward();
  let isStalled = false;
  const timer = setTimeout(() => {
    isStalled = true;
    controller.abort();
  }, timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    callerSignal?.removeEventListener("abort", forward);
  };
  return {
    signal: controller.signal,
    get isStalled() {
      return isStalled;
    },
    touch: () => void timer.refresh(),
    stop,
    abandon: () => {
      stop();
      controller.abort();
    },
  };
}
