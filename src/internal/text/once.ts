/**
 * Makes a value when it is first asked for, and keeps it. For module-level values that cost a
 * process more than a search that never needs them should pay, such as large regular expressions.
 */
export function once<TValue>(make: () => TValue): () => TValue {
  let made: { readonly value: TValue } | undefined;
  return () => (made ??= { value: make() }).value;
}
