/**
 * A JSON value in which U+FFFD stands for each half of a character: no server takes half of one.
 * The value itself if its texts are whole.
 */
export function wellFormed<TValue>(value: TValue): TValue {
  const whole = (text: string): string => text.toWellFormed();
  return mapTexts(value, whole, whole) as TValue;
}

/** JSON in which U+FFFD stands for each escape of half a character. */
export function withWholeEscapes(json: string): string {
  if (!json.includes("\\ud") && !json.includes("\\uD")) return json;
  return json.replaceAll(escapes, (escape, pair: string | undefined, half: string | undefined) =>
    pair === undefined && half !== undefined ? "\uFFFD" : escape,
  );
}

/** A pair of halves, a half, or any other escape, such as a backslash. */
const escapes =
  /\\(?:(u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

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
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(
    ([key, held]) => [changeKey(key), mapTexts(held, change, changeKey)] as const,
  );
  const isSame = mapped.every(
    ([key, held], index) => key === entries[index]?.[0] && held === entries[index][1],
  );
  return isSame ? value : Object.fromEntries(mapped);
}
