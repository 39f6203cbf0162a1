import type { GeneratedToken } from "../../contract/index.ts";

/** Where a field's value begins in a reply: a token, and a place in what `inked` leaves of it. */
export interface TokenPlace {
  readonly index: number;
  readonly offset: number;
}

/**
 * The printable ASCII characters of a text. Tokenizers mark spaces and cut other characters in
 * their own ways, so only these compare equal between a reply's tokens and its content.
 */
export function inked(text: string): string {
  return text.replaceAll(/[^\x21-\x7E]/g, "");
}

/**
 * Finds the value of a top-level field in the tokens of a reply. The tokens may hold more than the
 * JSON object: a thought before it, special tokens after it.
 *
 * @param json the reply's JSON object, as it was written
 * @returns `null` if the tokens do not hold that object, or the object not that field
 */
export function fieldValuePlace(
  tokens: readonly GeneratedToken[],
  json: string,
  field: string,
): TokenPlace | null {
  const object = inked(json);
  const pieces = tokens.map(({ token }) => inked(token));
  const start = pieces.join("").lastIndexOf(object);
  const value = valuePlace(object, field);
  if (start < 0 || value === null) return null;
  let offset = start + value;
  for (const [index, { length }] of pieces.entries()) {
    if (offset < length) return { index, offset };
    offset -= length;
  }
  return null;
}

/** Of a repeated key the last counts, as for `JSON.parse`. */
function valuePlace(object: string, field: string): number | null {
  const key = JSON.stringify(field);
  let found: number | null = null;
  let depth = 0;
  let opened = -1;
  for (let place = 0; place < object.length; place++) {
    const character = object.charAt(place);
    if (opened >= 0) {
      if (character === "\\") place++;
      if (character !== '"') continue;
      const isKey = depth === 1 && object.charAt(place + 1) === ":";
      if (isKey && object.slice(opened, place + 1) === key) found = place + 2;
      opened = -1;
    } else if (character === '"') opened = place;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
  }
  return found;
}
