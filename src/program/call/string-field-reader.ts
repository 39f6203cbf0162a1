/**
 * Reads one text field of a JSON object while the object is still being written: takes the object's
 * text in pieces, split anywhere, and returns what each piece adds to the field's value. Resolves
 * escapes, and emits the two halves of a surrogate pair together. The parts add up to what
 * `JSON.parse` returns for the field; if a key is repeated, the first counts.
 *
 * Text that does not start with an object, such as a reply in a code fence, and text that is not
 * JSON yield nothing further.
 */
export function stringFieldReader(field: string): (piece: string) => string {
  let place: Place = "before";
  /** Number of open objects and lists. */
  let depth = 0;
  let isKeyNext = false;
  /** The key being read, as written, without quotes; then the key of the following value. */
  let key = "";
  let isEscaped = false;
  /** The digits read so far after `\u`. */
  let digits: string | null = null;
  let highSurrogate = "";

  const isWanted = (): boolean => depth === 1 && parsedKey(key) === field;

  /** What one UTF-16 code unit adds to the value, with any half of a pair that waited for it. */
  const unit = (value: string): string => {
    const waiting = highSurrogate;
    highSurrogate = /^[\uD800-\uDBFF]$/.test(value) ? value : "";
    return highSurrogate === "" ? waiting + value : waiting;
  };

  const inValue = (character: string): string => {
    if (digits !== null) {
      digits += character;
      if (digits.length < 4) return "";
      const code = /^[\dA-Fa-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : null;
      digits = null;
      if (code !== null) return unit(String.fromCharCode(code));
      place = "over";
      return "";
    }
    if (isEscaped) {
      isEscaped = false;
      if (character === "u") {
        digits = "";
        return "";
      }
      const meant = escapes.get(character);
      if (meant !== undefined) return unit(meant);
      place = "over";
      return "";
    }
    if (character === "\\") {
      isEscaped = true;
      return "";
    }
    if (character !== '"') return unit(character);
    place = "over";
    return highSurrogate;
  };

  /** Inside a string other than the wanted one. */
  const inString = (character: string): void => {
    if (!isEscaped && character === '"') {
      place = "between";
      return;
    }
    isEscaped = !isEscaped && character === "\\";
    if (isKeyNext) key += character;
  };

  const between = (character: string): void => {
    if (character === '"') {
      if (isKeyNext) key = "";
      place = !isKeyNext && isWanted() ? "value" : "string";
    } else if (character === "{" || character === "[") {
      depth++;
    } else if (character === "}" || character === "]") {
      if (--depth === 0) place = "over";
    } else if (depth === 1 && character === ":") {
      isKeyNext = false;
    } else if (depth === 1 && character === ",") {
      isKeyNext = true;
    }
  };

  return (piece) => {
    let added = "";
    for (let index = 0; index < piece.length && place !== "over"; index++) {
      const character = piece.charAt(index);
      if (place === "value") added += inValue(character);
      else if (place === "string") inString(character);
      else if (place === "between") between(character);
      else if (character === "{") [place, depth, isKeyNext] = ["between", 1, true];
      else if (character.trim() !== "") place = "over";
    }
    return added;
  };
}

type Place = "before" | "between" | "string" | "value" | "over";

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function parsedKey(written: string): unknown {
  try {
    return JSON.parse(`"${written}"`);
  } catch {
    return undefined;
  }
}
