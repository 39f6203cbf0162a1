import type { Component } from "../../contract/index.ts";

/**
 * The predictor that a component belongs to. An instruction's path is the predictor's name,
 * whatever characters it contains; the path of a description of a field or a tool appends that:
 * `answer.question`.
 */
export function predictorOf({ kind, path }: Pick<Component, "kind" | "path">): string {
  if (kind !== "fieldDescription" && kind !== "toolDescription") return path;
  const end = path.indexOf(".");
  return end < 0 ? path : path.slice(0, end);
}
