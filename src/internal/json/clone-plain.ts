/**
 * Copies a JSON value, so that the receiver may change it freely. Shares values that are neither
 * arrays nor plain objects, such as class instances.
 */
export function clonePlain<TValue>(value: TValue): TValue;
export function clonePlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((held: unknown) => clonePlain(held));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, clonePlain(held)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
