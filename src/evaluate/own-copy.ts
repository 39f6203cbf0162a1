/**
 * A copy of a JSON value that its taker may change without anyone noticing. What is neither an
 * array nor a plain object, such as an instance of a class, is shared.
 */
export function ownCopy<TValue>(value: TValue): TValue;
export function ownCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((held: unknown) => ownCopy(held));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, ownCopy(held)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
