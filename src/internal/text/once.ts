/**
 * Makes a value when it is first asked for, and keeps it. For module-level values that cost a
 * process more than a search that never needs them should pay, such as large regular expressions.
 */
export function once<TValue>(make: () => TValue): () => TValue {
  let made: { readonly value: TValue } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Makes one value for each key, for as long as the key lives. */
export function oncePer<TKey extends object, TValue>(
  make: (key: TKey) => TValue,
): (key: TKey) => TValue {
  const made = new WeakMap<TKey, { readonly value: TValue }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
