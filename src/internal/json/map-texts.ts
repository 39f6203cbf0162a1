/**
 * A copy of a JSON value in which `change` replaced its texts, and `changeKey` its keys; any part
 * in which nothing changed is the same object as before.
 */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  changeKey = (key: string): string => key,
): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const mapped = value.map((item: unknown) => mapTexts(item, change, changeKey));
    return mapped.some((item, place) => item !== value[place]) ? mapped : value;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(
    ([key, held]) => [changeKey(key), mapTexts(held, change, changeKey)] as const,
  );
  const isSame = mapped.every(
    ([key, held], place) => key === entries[place]?.[0] && held === entries[place][1],
  );
  return isSame ? value : Object.fromEntries(mapped);
}
