import type { Json } from "../../../../src/contract/index.ts";
import { isObject } from "../../../../src/internal/index.ts";

/** What JSON holds under these keys, one inside of the other; `undefined` if nothing. */
export function valueAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (held, key) => (isObject(held) ? held[key] : undefined),
    value,
  );
}

/** A text or a number under these keys, as a text; empty if there is none. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string {
  const held = valueAt(value, ...keys);
  return typeof held === "string" || typeof held === "number" ? String(held) : "";
}
