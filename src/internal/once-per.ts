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
