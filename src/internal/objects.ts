/**
 * Freezes a value and everything in it, including the contents of already frozen objects, except
 * views of array buffers (typed arrays), which cannot be frozen. Cycles are allowed.
 */
export function deepFreeze<TValue>(value: TValue): TValue {
  const found = new Set<object>();
  const note = (held: unknown): void => {
    if (typeof held === "object" && held !== null && !ArrayBuffer.isView(held)) found.add(held);
  };
  note(value);
  // The loop also visits the entries that `note` adds on the way.
  for (const one of found) Object.values(Object.freeze(one)).forEach(note);
  return value;
}

/** A record's own entry; `undefined` for inherited names such as `constructor`. */
export function getOwn<TValue>(
  record: Readonly<Record<string, TValue>>,
  key: string,
): TValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The same keys with other values. */
export function mapValues<TValue, TMapped>(
  values: Readonly<Record<string, TValue>>,
  map: (value: TValue) => TMapped,
): Readonly<Record<string, TMapped>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
