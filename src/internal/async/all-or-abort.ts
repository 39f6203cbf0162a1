import { linkedAbort } from "./linked-abort.ts";

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
