import type { Json } from "../../contract/index.ts";

/** All texts inside a JSON value, in order. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((held: Json) => textsIn(held));
}
