import type { Json, JsonObject } from "../../contract/index.ts";
import { exactJson } from "../../internal/index.ts";

/** The index of the next quote or backslash, or the length. */
export function plainEnd(piece: string, from: number): number {
  let index = from;
  while (index < piece.length && piece[index] !== '"' && piece[index] !== "\\") index++;
  return index;
}

export function endsInHighSurrogate(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}

/** Sets an own property, `__proto__` among them, as `JSON.parse` does. */
export function put(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

export function numberIn(token: string): number | undefined {
  try {
    return (exactJson(`[${token}]`) as readonly [number])[0];
  } catch {
    return undefined;
  }
}

export const words: ReadonlyMap<string, true | false | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

export const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
