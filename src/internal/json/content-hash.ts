import { hash } from "node:crypto";
import { withWholeEscapes } from "./well-formed.ts";

/**
 * JSON with keys in code-unit order and no white space, as in RFC 8785, so that equal values give
 * equal bytes. U+FFFD stands for halves of characters, as where texts are sent. Drops keys that
 * hold `undefined`, as `JSON.stringify` does. Throws a `TypeError` for values that JSON cannot
 * represent: non-finite numbers, functions, cycles.
 */
export function canonicalJson(value: unknown): string {
  const json = JSON.stringify(value, (key, held: unknown) => {
    if (typeof held === "number" && !Number.isFinite(held)) {
      throw new TypeError(`JSON cannot represent the number ${held} (key "${key}").`);
    }
    if (typeof held === "function" || typeof held === "bigint" || typeof held === "symbol") {
      throw new TypeError(`JSON cannot represent a ${typeof held} (key "${key}").`);
    }
    if (held === null || typeof held !== "object" || Array.isArray(held)) return held;
    // An object whose keys are already in order needs no copy.
    const names = Object.keys(held);
    if (names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name)) return held;
    return Object.fromEntries(
      Object.entries(held).toSorted(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
  return withWholeEscapes(json);
}

/** SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/** SHA-256 of a value's canonical JSON. */
export function contentHash(value: unknown): string {
  return sha256(canonicalJson(value));
}
