import type { Json, JsonObject } from "../../../contract/index.ts";
import { escapedLines } from "./escaped-lines.ts";

/**
 * A value as a reader reads it: text as it is, turns and passages line by line, the rest as JSON.
 * Lines within an item cannot pass for the next item.
 */
export function shownValue(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "(empty)";
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return "(empty)";
  return value
    .map((item: Json, index) => {
      if (typeof item === "string") return `${index + 1}. ${inside(item, "item")}`;
      if (typeof item !== "object" || item === null || Array.isArray(item)) {
        return JSON.stringify(item);
      }
      const { speaker, title, text } = item as JsonObject;
      if (typeof text !== "string") return JSON.stringify(item);
      if (typeof speaker === "string") return `${speaker}: ${inside(text, "turn")}`;
      return typeof title === "string" && title !== ""
        ? `[${index + 1}] ${inside(title, "passage")}\n${escapedLines(text, "passage")}`
        : `[${index + 1}] ${inside(text, "passage")}`;
    })
    .join("\n");
}

function inside(text: string, part: Parameters<typeof escapedLines>[1]): string {
  return escapedLines(text, part, { isFirstLineInside: true });
}
