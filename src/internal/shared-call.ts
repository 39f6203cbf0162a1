/** One piece of work with several waiting for it. */
export interface SharedCall<TResult> {
  /** Waits for the result, or rejects with the reason of the waiter's own signal. */
  join(signal?: AbortSignal): Promise<TResult>;
}

/**
 * Starts work that stops only when all who wait for it have given up, so that one waiter's abort
 * harms no other.
 *
 * @param onAbandoned called at that moment: nobody may join any more
 */
export function sharedCall<TResult>(
  work: (signal: AbortSignal | undefined) => Promise<TResult>,
  onAbandoned: () => void,
): SharedCall<TResult> {
  const controller = new AbortController();
  let waiting = 0;
  let result: Promise<TResult> | undefined;

  return {
    join: (signal) => {
      waiting++;
      // Started with the first waiter, after whoever made the call has stored it. If that one
      // cannot give up, the work can never be abandoned, and is spared a signal.
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
