/** A record's own entry; `undefined` for inherited names such as `constructor`. */
export function getOwn<TValue>(
  record: Readonly<Record<string, TValue>>,
  key: string,
): TValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
