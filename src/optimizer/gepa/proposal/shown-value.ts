import type { Json, JsonObject } from "../../../contract/index.ts";

/** A value as a reader reads it: text as it is, turns and passages line by line, the rest as JSON. */
export function shownValue(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "(empty)";
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return "(empty)";
  return value
    .map((item: Json, index) => {
      if (typeof item === "string") return `${index + 1}. ${item}`;
      if (typeof item !== "object" || item === null || Array.isArray(item)) {
        return JSON.stringify(item);
      }
      const { speaker, title, text } = item as JsonObject;
      if (typeof text !== "string") return JSON.stringify(item);
      if (typeof speaker === "string") return `${speaker}: ${text}`;
      return typeof title === "string" && title !== ""
        ? `[${index + 1}] ${title}\n${text}`
        : `[${index + 1}] ${text}`;
    })
    .join("\n");
}
