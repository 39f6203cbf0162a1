/**
 * Freezes a value and everything in it, also what is inside of something frozen before; but for views of
 * array buffers (typed arrays), which cannot be frozen. What it holds may come back to it.
 */
export function deepFreeze<TValue>(value: TValue): TValue {
  const found = new Set<object>();
  const note = (held: unknown): void => {
    if (typeof held === "object" && held !== null && !ArrayBuffer.isView(held)) found.add(held);
  };
  note(value);
  // Goes on through what is noted meanwhile.
  for (const one of found) for (const held of Object.values(Object.freeze(one))) note(held);
  return value;
}
