import type { Component } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import { changedLines } from "./changed-lines.ts";
import { comparedText } from "./demonstrations-text.ts";

/** Every component in which two candidates differ, with what changed in its texts. */
export function componentChanges(
  before: readonly Component[],
  after: readonly Component[],
): readonly string[] {
  return after.flatMap((held, place) => {
    const [old, now] = [before[place], held].map(comparedText) as [string, string];
    if (old === now) return [];
    // A setting is one word: a diff of it would be longer, and say less.
    if (held.kind === "parameter") return [`${componentId(held)}  ${old} -> ${now}`];
    return [componentId(held), ...changedLines(old, now).map((line) => `  | ${line}`)];
  });
}
