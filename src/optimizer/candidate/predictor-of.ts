import type { Component } from "../../contract/index.ts";

/**
 * The predictor that a component belongs to: an instruction's path is its name, whatever that
 * holds; a field's description has the field behind it, `answer.question`.
 */
export function predictorOf({ kind, path }: Pick<Component, "kind" | "path">): string {
  if (kind !== "fieldDescription") return path;
  const end = path.indexOf(".");
  return end < 0 ? path : path.slice(0, end);
}
