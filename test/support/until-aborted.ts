/** Work that never ends by itself: rejects with the signal's reason. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
