/** One piece of work that several callers wait for. */
export interface SingleFlight<TResult> {
  /** Waits for the result, or rejects with the reason of the waiter's own signal. */
  join(signal?: AbortSignal): Promise<TResult>;
}

/**
 * Starts work that stops only when every caller has given up, so that one caller's abort harms no
 * other.
 *
 * @param onAbandoned called at that moment; no caller may join afterwards
 */
export function singleFlight<TResult>(
  work: (signal: AbortSignal | undefined) => Promise<TResult>,
  onAbandoned: () => void,
): SingleFlight<TResult> {
  const controller = new AbortController();
  let waiting = 0;
  let result: Promise<TResult> | undefined;

  return {
    join: (signal) => {
      waiting++;
      // Started with the first waiter, after the creator has stored it. If that waiter cannot give
      // up, the work is never abandoned and needs no signal.
      result ??= work(signal === undefined ? undefined : controller.signal);
      if (signal === undefined) return result;
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const leave = (): void => {
        reject(signal.reason);
        if (--waiting > 0) return;
        onAbandoned();
        controller.abort(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      return Promise.race([result, aborted]).finally(() =>
        signal.removeEventListener("abort", leave),
      );
    },
  };
}

/** Work that is requested more often than it needs to run. */
interface Coalesced {
  /** Requests a run of the work that starts after this call. */
  request(): void;
  /** Resolves once all requested work is done; rejects with the work's error. */
  settled(): Promise<void>;
}

/** Runs the work at most once at a time: requests that arrive meanwhile share the next run. */
export function coalesced(work: () => Promise<void>): Coalesced {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let failure: { readonly error: unknown } | undefined;
  const turn = async (): Promise<void> => {
    while (isWanted && failure === undefined) {
      isWanted = false;
      try {
        await work();
      } catch (error) {
        failure = { error };
      }
    }
    running = undefined;
  };
  return {
    request: () => {
      isWanted = true;
      running ??= turn();
    },
    settled: async () => {
      await running;
      if (failure !== undefined) throw failure.error;
    },
  };
}
