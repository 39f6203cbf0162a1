import type { Json, JsonObject } from "../../contract/index.ts";
import { imageDataIn } from "../../internal/index.ts";

/**
 * What is compared of inputs to find near demonstrations: their texts and numbers, a line each, the
 * fields by name. What images show is unknown here.
 */
export function inputsText(inputs: JsonObject): string {
  return Object.entries(inputs)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, value]) => leavesOf(value))
    .join("\n");
}

function leavesOf(value: Json): readonly string[] {
  if (value === null) return [];
  if (typeof value === "string" && imageDataIn(value) !== null) return [];
  if (typeof value !== "object") return [String(value)];
  return Object.values<Json>(value).flatMap(leavesOf);
}
