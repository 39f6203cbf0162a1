import { mapTexts } from "./map-texts.ts";

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
