/**
 * An object with some properties replaced. The others are read when they are asked for, which
 * `{ ...object }` would do at once.
 */
export function withChanges<TObject extends object>(
  object: TObject,
  changes: Partial<TObject>,
): TObject {
  const changed = Object.getOwnPropertyDescriptors(changes) as PropertyDescriptorMap;
  for (const name of Object.keys(object) as (keyof TObject & string)[]) {
    changed[name] ??= { get: () => object[name], enumerable: true };
  }
  return Object.defineProperties({}, changed) as TObject;
}
