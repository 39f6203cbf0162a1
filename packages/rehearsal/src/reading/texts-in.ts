import type { Json } from "../../../../src/contract/index.ts";

/** The members of a JSON list; empty for any other text. */
export function jsonList(text: string): readonly Json[] {
  try {
    const value = JSON.parse(text) as Json;
    return Array.isArray(value) ? (value as readonly Json[]) : [];
  } catch {
    return [];
  }
}

/** All texts inside a JSON value, in order. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((held: Json) => textsIn(held));
}
