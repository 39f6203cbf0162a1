/** Freezes a JSON value and everything in it; the value must be a tree. */
export function deepFreeze<TValue>(value: TValue): TValue {
  if (typeof value !== "object" || value === null) return value;
  for (const held of Object.values(value)) deepFreeze(held);
  return Object.freeze(value);
}
