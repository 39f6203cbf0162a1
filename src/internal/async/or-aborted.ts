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
