/**
 * Runs work concurrently. When one item fails, the others are aborted, and once all have ended, the
 * first error is thrown. Nothing still runs after it settles.
 */
export async function allOrAbort<TItem, TResult>(
  items: readonly TItem[],
  signal: AbortSignal,
  work: (item: TItem, signal: AbortSignal) => Promise<TResult>,
): Promise<TResult[]> {
  const [only] = items;
  if (items.length === 1) return [await work(only as TItem, signal)];
  const either = linkedAbort([signal]);
  let first: { readonly error: unknown } | undefined;
  const ended = await Promise.all(
    items.map(async (item) => {
      try {
        return { result: await work(item, either.signal) };
      } catch (error) {
        first ??= { error };
        either.abort();
        return undefined;
      }
    }),
  );
  either.release();
  if (first !== undefined) throw first.error;
  return ended.flatMap((one) => (one === undefined ? [] : [one.result]));
}

/** An abort controller that other signals trigger too. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Stops listening to the other signals. */
  release(): void;
}

/**
 * Unlike `AbortSignal.any()`, which costs several times as much and lives as long as the
 * longest-lived of its signals, this one can be freed with `release`.
 */
export function linkedAbort(signals: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const forward = ({ target }: Event): void => controller.abort((target as AbortSignal).reason);
  for (const each of signals) {
    if (each?.aborted === true) controller.abort(each.reason);
    else each?.addEventListener("abort", forward, { once: true });
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => {
      for (const each of signals) each?.removeEventListener("abort", forward);
    },
  };
}

/**
 * The promise's result, or the reason of a signal that fires first. The work goes on: for what
 * cannot be interrupted.
 */
export async function orAborted<TResult>(
  promise: Promise<TResult>,
  signal: AbortSignal | undefined,
): Promise<TResult> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
